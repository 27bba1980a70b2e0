import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { type Read, readAs, UNREADABLE, untilRead } from '../../../_keys/read.ts';
import { addSent, fingerprintOf, removeSent, sentRecords } from '../../../_keys/sent-records.ts';
import type { Item } from './use-submission-sending.ts';

/** Whether a record was sent from this browser before. Its outcome may be unknown. */
export type WasSent = (beoId: string, record: Item['record']) => boolean;

/** Null until the fingerprints are read: records must not be offered to be sent before that. */
export function useSentBefore(ieoId: string): WasSent | null {
  const { data } = useQuery({
    queryKey: ['sentRecords', ieoId],
    queryFn: ({ signal }) => untilRead(() => sentRecords(ieoId), signal),
  });
  return (
    useMemo(() => data && ((beoId, record) => data.size > 0 && data.has(fingerprintOf(beoId, record))), [data]) ?? null
  );
}

/**
 * Stores that records are about to be sent. Before the request, because its response may be lost. Where the list cannot be read,
 * nothing may be sent.
 * @returns what takes it back, for records that are refused
 */
export async function rememberSent(
  { ieo_id: ieoId, beo_id: beoId }: Pick<TokenView, 'ieo_id' | 'beo_id'>,
  records: readonly Item['record'][],
): Promise<Read<() => Promise<void>>> {
  try {
    const added = await addSent(
      ieoId,
      records.map((record) => fingerprintOf(beoId, record)),
    );
    if (added.state === 'unreadable') return added;
    const forget = async () => {
      await removeSent(ieoId, added.value).catch(() => {});
    };
    return readAs(forget);
  } catch {
    return UNREADABLE;
  }
}
