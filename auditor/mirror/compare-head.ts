import type { Pool } from 'pg';
import type { SignedHead } from '../../server/ledger/read.ts';
import { HEAD_MARGIN_MS } from './evidence.ts';
import type { Breach, Verifier } from './verifier.ts';

/** `behind`: the head is not that of the verified ledger, but the difference proves nothing yet. */
export type HeadComparison =
  | { readonly kind: 'verified' }
  | { readonly kind: 'behind'; readonly sentence: string }
  | { readonly kind: 'breach'; readonly breach: Breach };

/** A head of another process can be this much later than an entry that it does not have yet. */
const RACE_MS = 5_000;

/** Compares a head that the relayer has signed over one of the verified entries with them. */
export async function compareHead(
  pool: Pool,
  end: NonNullable<ReturnType<Verifier['end']>>,
  head: SignedHead,
): Promise<HeadComparison> {
  const { rows } = await pool.query<{ seq: number; epoch: number; id: string; item: Buffer }>({
    name: 'mirror-head-entries',
    text: 'SELECT seq, epoch, id, item FROM ledger_entries WHERE seq IN ($1, $2) ORDER BY seq',
    values: [head.seq, end.seq],
  });
  const there = rows.find(({ seq }) => seq === head.seq);
  const last = rows.find(({ seq }) => seq === end.seq);
  const contradicts = (kind: 'head' | 'rollback', sentence: string, item: Buffer): HeadComparison => ({
    kind: 'breach',
    breach: { kind, sentence, finding: null, items: [item], heads: [head], checkpoints: [] },
  });
  if (there && there.epoch === head.epoch && there.id !== head.id) {
    return contradicts(
      'head',
      `The signed head names ${head.id} as entry ${head.seq}, which is ${there.id}.`,
      there.item,
    );
  }
  if (head.seq === end.seq && head.id === end.id) return { kind: 'verified' };
  const isOlder = head.epoch < end.epoch || (head.epoch === end.epoch && head.seq < end.seq);
  const isClearlyLater = Date.parse(head.at) >= Date.parse(end.acceptedAt) + HEAD_MARGIN_MS;
  const place = `entry ${head.seq} of epoch ${head.epoch}, but entry ${end.seq} of epoch ${end.epoch} is verified`;
  if (isOlder && isClearlyLater && last) {
    return contradicts('rollback', `The service signed at ${head.at} that the ledger ends with ${place}.`, last.item);
  }
  // It was read before the last entry was stored, or is not over entries of this ledger.
  if (isOlder && there?.id === head.id && Date.parse(head.at) < Date.parse(end.acceptedAt) + RACE_MS)
    return { kind: 'verified' };
  return { kind: 'behind', sentence: `The ledger of the service ends with ${place}.` };
}
