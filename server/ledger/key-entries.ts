import type { Pool } from 'pg';
import {
  COMMIT_RELAYER_KEY,
  currentKey,
  ROTATE_RELAYER_KEY,
  type Succession,
} from '../../protocol/ledger/relayer-keys.ts';
import { InvalidSuccession, verifySuccession } from '../../protocol/ledger/succession.ts';
import type { Head } from './head.ts';

type Db = Pick<Pool, 'query'>;

interface KeyItem {
  readonly seq: number;
  readonly function: string;
  readonly item: Buffer;
}

/** The items of the entries up to `seq` that committed the relayer's key or changed it, in order. docs/transparency.md */
export async function keyItemsUpTo(db: Db, ledgerId: string, seq: number): Promise<KeyItem[]> {
  const { rows } = await db.query<KeyItem>({
    name: 'key-items',
    text: `SELECT seq, function, item FROM ledger_entries
      WHERE entity_id = $1 AND function = ANY ($2::text[]) AND seq <= $3 ORDER BY seq`,
    values: [ledgerId, [COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY], seq],
  });
  return rows;
}

/** The items that prove which key signed the entry with this seq: up to the rotation that introduced it. */
export async function itemsUpToKeyOf(db: Db, ledgerId: string, seq: number): Promise<Buffer[]> {
  const rows = await keyItemsUpTo(db, ledgerId, seq - 1);
  const rotation = rows.findLastIndex((row) => row.function === ROTATE_RELAYER_KEY);
  return rows.slice(0, rotation + 1).map(({ item }) => item);
}

/**
 * The keys of the ledger in this database, verified from its id on.
 * @throws {InvalidSuccession} if the entries do not lead from the ledger id to the key in the head
 */
export async function readSuccession(
  db: Db,
  head: Pick<Head, 'ledgerId' | 'relayerPublicKey' | 'seq'>,
): Promise<Succession> {
  const { ledgerId, relayerPublicKey, seq } = head;
  const items = await keyItemsUpTo(db, ledgerId, seq);
  const succession = verifySuccession(
    ledgerId,
    items.map(({ item }) => item),
    relayerPublicKey,
  );
  if (currentKey(succession) === relayerPublicKey) return succession;
  throw new InvalidSuccession('signer', 'The key in the head of the ledger is not the one that its entries lead to.');
}
