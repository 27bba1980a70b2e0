import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Item } from './use-sending.ts';

/** Loaded after the page. */
const loadSentRecords = () => import('../../../_keys/sent-records.ts');

/** Whether a record was sent from this browser before. Its outcome may be unknown. */
export type WasSent = (beoId: string, record: Item['record']) => boolean;

/** False for every record until the fingerprints are read. */
export function useSentBefore(ieoId: string): WasSent {
  const { data } = useQuery({
    queryKey: ['sentRecords', ieoId],
    queryFn: async () => {
      const { sentRecords, fingerprintOf } = await loadSentRecords();
      return { sent: await sentRecords(ieoId), fingerprintOf };
    },
  });
  return useCallback(
    (beoId, record) => data !== undefined && data.sent.size > 0 && data.sent.has(data.fingerprintOf(beoId, record)),
    [data],
  );
}

/**
 * Stores that records are about to be sent, if this browser can. Before the request, because its response may be lost.
 * @returns what takes it back, for records that are refused
 */
export async function rememberSent(
  { ieo_id: ieoId, beo_id: beoId }: Pick<TokenView, 'ieo_id' | 'beo_id'>,
  records: readonly Item['record'][],
): Promise<() => Promise<void>> {
  try {
    const { addSent, fingerprintOf, removeSent } = await loadSentRecords();
    const added = await addSent(
      ieoId,
      records.map((record) => fingerprintOf(beoId, record)),
    );
    return () => removeSent(ieoId, added).catch(() => {});
  } catch {
    return async () => {};
  }
}
