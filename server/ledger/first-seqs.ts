import type { ClientBase } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';

/**
 * Bisects: seqs have no gaps and times never decrease, so this needs no index on the time. A time after the last entry
 * has the next seq.
 */
const FIRST_SEQS = `
  WITH RECURSIVE search (moment, low, high) AS (
    SELECT moment, 1::bigint, (SELECT seq + 1 FROM ledger_head) FROM unnest($1::timestamptz[]) AS moment
    UNION ALL
    SELECT moment, CASE WHEN e.accepted_at < moment THEN e.seq + 1 ELSE low END, CASE WHEN e.accepted_at < moment THEN high ELSE e.seq END
      FROM search JOIN ledger_entries e ON e.seq = (low + high) / 2 WHERE low < high
  )
  SELECT moment, low AS first_seq FROM search WHERE low = high`;

/** The seq of the first entry accepted at or after each time. */
export async function firstSeqsFrom(
  db: Pick<ClientBase, 'query'>,
  times: readonly Instant[],
): Promise<ReadonlyMap<Instant, number>> {
  const { rows } = await db.query<{ moment: Instant; first_seq: number }>({
    name: 'first-seqs-from',
    text: FIRST_SEQS,
    values: [[...new Set(times)]],
  });
  return new Map(rows.map(({ moment, first_seq }) => [moment, first_seq]));
}
