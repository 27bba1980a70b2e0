'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { useTRPC, useTRPCClient } from '../../_trpc/query-provider.tsx';

/** The status of an identity or institution, as last read. */
export function useStatus(identity: KeptIdentity | null): string | undefined {
  const trpc = useTRPC();
  const reference = identity?.id ?? '';
  const holder = useQuery(trpc.identity.queryOptions({ reference }, { enabled: identity?.kind === 'holder' }));
  const institution = useQuery(
    trpc.institution.queryOptions({ reference }, { enabled: identity?.kind === 'institution' }),
  );
  return holder.data?.status ?? institution.data?.status;
}

const COOLDOWN_POLL_MS = 30_000;

/** Until when an identity cannot be destroyed after a recovery, ISO 8601; null if it can, undefined until it is read. */
export function useCooldown(identity: KeptIdentity | null): string | null | undefined {
  const trpc = useTRPC();
  const isHolder = identity?.kind === 'holder';
  const { data } = useQuery(
    trpc.cooldown.queryOptions(
      { reference: identity?.id ?? '' },
      { enabled: isHolder, refetchInterval: ({ state }) => (state.data?.until ? COOLDOWN_POLL_MS : false) },
    ),
  );
  return isHolder ? data?.until : null;
}

/** Reads the current key of an identity or institution; null where that fails. */
export function useCurrentKey(): (identity: Pick<KeptIdentity, 'kind' | 'id'>) => Promise<string | null> {
  const client = useTRPCClient();
  return useCallback(
    async ({ kind, id: reference }: Pick<KeptIdentity, 'kind' | 'id'>) => {
      const procedure = kind === 'holder' ? client.identity : client.institution;
      const view = await procedure.query({ reference }).catch(() => null);
      return view?.public_key ?? null;
    },
    [client],
  );
}
