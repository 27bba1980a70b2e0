import { hash } from 'node:crypto';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import { encodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { anchorText, entryTags } from '../../protocol/ledger/entry-tags.ts';
import type { ItemSigner } from './ans104.ts';
import type { Head } from './head.ts';

type Placed = 'v' | 'epoch' | 'seq' | 'prev' | 'accepted_at';
type Unplaced<Entry> = Entry extends LedgerEntry ? Omit<Entry, Placed> : never;

/** An entry before it is ordered. */
export type Draft = Unplaced<LedgerEntry>;

export interface ChainedEntry {
  readonly id: TransactionId;
  readonly epoch: number;
  readonly seq: number;
  readonly function: string;
  readonly entityId: string;
  readonly acceptedAt: Instant;
  /** The signed data item, which is also the receipt. */
  readonly item: Buffer;
}

/** The next link: an ANS-104 item signed by the relayer, whose id is known before it is posted. Protocol §10. */
export function chain(
  signer: ItemSigner,
  head: Pick<Head, 'epoch' | 'seq' | 'id'>,
  draft: Draft,
  at: Instant,
): ChainedEntry {
  const seq = head.seq + 1;
  const entry: LedgerEntry = { v: 1, epoch: head.epoch, seq, prev: head.id, accepted_at: at, ...draft };
  const { id, bytes } = signer.sign({
    anchor: hash('sha256', anchorText(head.id, seq), 'buffer'),
    tags: entryTags(entry),
    data: encodeEntry(entry),
  });
  return {
    id: id as TransactionId,
    epoch: head.epoch,
    seq,
    function: draft.function,
    entityId: draft.entity_id,
    acceptedAt: at,
    item: bytes,
  };
}
