import { byteRun } from '../db/byte-run.ts';
import type { Statement } from '../db/statement.ts';
import type { ChainedEntry } from './chain.ts';
import type { Head } from './head.ts';

export function insertEntries(entries: readonly ChainedEntry[]): Statement {
  const { bytes, starts, lengths } = byteRun(entries.map(({ item }) => item));
  return {
    name: 'insert-entries',
    text: `INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
           SELECT seq, epoch, id, function, entity_id, accepted_at, substring($9::bytea FROM start FOR length)
           FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::int[], $8::int[])
             AS e (seq, epoch, id, function, entity_id, accepted_at, start, length)`,
    values: [
      entries.map(({ seq }) => seq),
      entries.map(({ epoch }) => epoch),
      entries.map(({ id }) => id),
      entries.map((entry) => entry.function),
      entries.map(({ entityId }) => entityId),
      entries.map(({ acceptedAt }) => acceptedAt),
      starts,
      lengths,
      bytes,
    ],
  };
}

/** The head behind these entries. */
export function headAfter(head: Head, entries: readonly ChainedEntry[]): Head {
  const last = entries.at(-1);
  if (!last) return head;
  const day = last.acceptedAt.slice(0, 10);
  const bytes = entries.reduce((sum, { item }) => sum + item.length, 0);
  return {
    ...head,
    epoch: last.epoch,
    seq: last.seq,
    id: last.id,
    acceptedAt: last.acceptedAt,
    budgetDay: day,
    budgetBytes: bytes + (head.budgetDay === day ? head.budgetBytes : 0),
  };
}

/**
 * Moves the head from behind one entry to behind the last of those that follow it.
 * @throws not_null_violation, when it runs, where the head is elsewhere.
 */
export const moveHead = (from: Head, to: Head): Statement => ({
  name: 'move-head',
  text: `UPDATE ledger_head SET seq = CASE WHEN id IS NOT DISTINCT FROM $1 AND epoch = $2 THEN $3::bigint END,
           id = $4, epoch = $5, epoch_began_at = $6, accepted_at = $7, budget_day = $8, budget_bytes = $9`,
  values: [from.id, from.epoch, to.seq, to.id, to.epoch, to.epochBeganAt, to.acceptedAt, to.budgetDay, to.budgetBytes],
});
