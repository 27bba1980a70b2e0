import { byteRun } from '../platform/db/byte-run.ts';
import type { Statement } from '../platform/db/statement.ts';
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

/** The head after these entries. */
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

/** Moves the head of the ledger, whose row the transaction has locked. */
export const moveHead = (to: Head): Statement => ({
  name: 'move-head',
  text: `UPDATE ledger_head SET seq = $1, id = $2, epoch = $3, epoch_began_at = $4, accepted_at = $5, budget_day = $6,
           budget_bytes = $7`,
  values: [to.seq, to.id, to.epoch, to.epochBeganAt, to.acceptedAt, to.budgetDay, to.budgetBytes],
});

/** Lets another key sign from the next entry on. The rotation before it is signed by the current one. */
export const replaceRelayerKey = (publicKey: string): Statement => ({
  name: 'replace-relayer-key',
  text: 'UPDATE ledger_head SET relayer_public_key = $1',
  values: [publicKey],
});
