import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readAs, UNREADABLE, untilRead } from '../../../_keys/read.ts';
import type { Item } from './use-submission-sending.ts';

/** Whether a record was sent from this browser before. Its outcome may be unknown. */
export type WasSent = (beoId: string, record: Item['record']) => boolean;

/** Loaded after the page, with SHA-256. */
const loadSent = () => import('../../../_keys/sent-records.ts');

async function sentBefore(ieoId: string) {
  const loaded = await loadSent().catch(() => null);
  if (!loaded) return UNREADABLE;
  const sent = await loaded.sentRecords(ieoId);
  return sent.state === 'read' ? readAs({ sent: sent.value, fingerprintOf: loaded.fingerprintOf }) : sent;
}

/** Null until the fingerprints are read: records must not be offered to be sent before that. */
export function useSentBefore(ieoId: string): WasSent | null {
  const { data } = useQuery({
    queryKey: ['sentRecords', ieoId],
    queryFn: ({ signal }) => untilRead(() => sentBefore(ieoId), signal),
  });
  return useMemo(() => {
    if (!data) return null;
    const { sent, fingerprintOf } = data;
    return (beoId, record) => sent.size > 0 && sent.has(fingerprintOf(beoId, record));
  }, [data]);
}
