import { useCallback } from 'react';
import type { Failure } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';

/**
 * Reads, before a request is signed, whether the person has frozen or destroyed their identity since: it would be refused. Null
 * where nothing is known against it.
 */
export function useHolderObstacle(): (beoId: string) => Promise<Failure | null> {
  const client = useTRPCClient();
  return useCallback(
    async (beoId) => {
      const holder = await client.identity.query({ reference: beoId }).catch(() => null);
      if (holder?.status === 'LOCKED') return { code: 'BEO_LOCKED', message: '' };
      return holder?.status === 'DESTROYED' ? { code: 'BEO_DESTROYED', message: '' } : null;
    },
    [client],
  );
}
