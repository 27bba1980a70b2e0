import { createHash, randomBytes } from 'node:crypto';
import { decodeTransactionTags, type SignedTransaction, type TransactionTag } from '../arweave-transaction.ts';
import { walletAddress } from '../wallet.ts';

/** A transaction's anchor must be among this many of the newest blocks, as on the network. */
const ANCHOR_BLOCKS = 50;
/** The network suggests an anchor a few blocks back, so that it survives a small reorganisation. */
const SUGGESTED_ANCHOR_DEPTH = 6;

/** A record of the journal. Replaying the records in order rebuilds the chain. */
export type ChainRecord =
  | { kind: 'transaction'; transaction: SignedTransaction; inline: boolean }
  | { kind: 'chunk'; data_root: string; data_size: number; start: number; length: number }
  | { kind: 'block'; hash: string; timestamp: number; transactions: string[] }
  /** Replaces the last blocks by the same number of empty ones. */
  | { kind: 'reorganise'; drop: boolean; blocks: { hash: string; timestamp: number }[] }
  | { kind: 'credit'; address: string; winston: string };

export type ChainTransaction = {
  readonly id: string;
  /** The offset of its record in the journal. */
  readonly at: number;
  /** The address of the wallet that signed it. */
  readonly owner: string;
  readonly target: string;
  readonly quantity: bigint;
  readonly reward: bigint;
  readonly anchor: string;
  readonly tags: readonly TransactionTag[];
  readonly dataSize: number;
  readonly dataRoot: string;
  readonly inline: boolean;
  /** Its block, its index among all mined ones, and the offset of its last byte in the weave; null while pending. */
  place: { height: number; ordinal: number; weaveEnd: number } | null;
};

export type Block = { height: number; hash: string; timestamp: number; first: number; count: number };

export type Chain = ReturnType<typeof createChain>;

/** The devnet's in-memory index: no data, no files, no clock. */
export function createChain() {
  const byId = new Map<string, ChainTransaction>();
  const balances = new Map<string, bigint>();
  const blocks: Block[] = [];
  const mined: ChainTransaction[] = [];
  let pending: ChainTransaction[] = [];
  /** The total cost of each wallet's pending transactions. */
  let reserved = new Map<string, bigint>();

  const tip = () => blocks.at(-1);
  const weaveSize = () => mined.at(-1)?.place?.weaveEnd ?? 0;
  const credit = (address: string, amount: bigint) => {
    if (address && amount !== 0n) balances.set(address, (balances.get(address) ?? 0n) + amount);
  };
  const reserve = ({ owner, reward, quantity }: ChainTransaction) =>
    reserved.set(owner, (reserved.get(owner) ?? 0n) + reward + quantity);
  const anchorIsAlive = (anchor: string) => blocks.slice(-ANCHOR_BLOCKS).some(({ hash }) => hash === anchor);

  /** A node drops transactions whose anchor has expired or is on an orphaned branch. */
  function dropUnanchored(): void {
    const kept = pending.filter(({ anchor }) => anchorIsAlive(anchor));
    for (const { id, anchor } of pending) if (!anchorIsAlive(anchor)) byId.delete(id);
    pending = kept;
    reserved = new Map();
    for (const transaction of pending) reserve(transaction);
  }

  function addTransaction(transaction: SignedTransaction, inline: boolean, at: number): void {
    const known: ChainTransaction = {
      id: transaction.id,
      at,
      owner: walletAddress({ n: transaction.owner }),
      target: transaction.target,
      quantity: BigInt(transaction.quantity),
      reward: BigInt(transaction.reward),
      anchor: transaction.last_tx,
      tags: decodeTransactionTags(transaction.tags),
      dataSize: Number(transaction.data_size),
      dataRoot: transaction.data_root,
      inline,
      place: null,
    };
    byId.set(known.id, known);
    pending.push(known);
    reserve(known);
  }

  function addBlock({ hash, timestamp }: { hash: string; timestamp: number }, ids: readonly string[]): void {
    const height = blocks.length;
    blocks.push({ height, hash, timestamp, first: mined.length, count: ids.length });
    for (const id of ids) {
      const transaction = byId.get(id);
      if (!transaction) throw new Error(`Block ${height} of the journal holds the unknown transaction ${id}.`);
      transaction.place = { height, ordinal: mined.length, weaveEnd: weaveSize() + transaction.dataSize };
      mined.push(transaction);
      credit(transaction.owner, -transaction.reward - transaction.quantity);
      credit(transaction.target, transaction.quantity);
    }
    pending = pending.filter(({ place }) => place === null);
    dropUnanchored();
  }

  function reorganise(drop: boolean, replacements: readonly { hash: string; timestamp: number }[]): void {
    const [firstLost] = blocks.splice(-replacements.length);
    const returned = mined.splice(firstLost?.first ?? mined.length);
    for (const transaction of returned) {
      transaction.place = null;
      credit(transaction.owner, transaction.reward + transaction.quantity);
      credit(transaction.target, -transaction.quantity);
      if (drop) byId.delete(transaction.id);
    }
    if (!drop) pending = [...returned, ...pending];
    for (const replacement of replacements) addBlock(replacement, []);
    dropUnanchored();
  }

  return {
    apply(record: Exclude<ChainRecord, { kind: 'chunk' }>, at: number): void {
      switch (record.kind) {
        case 'transaction':
          addTransaction(record.transaction, record.inline, at);
          break;
        case 'block':
          addBlock(record, record.transactions);
          break;
        case 'reorganise':
          reorganise(record.drop, record.blocks);
          break;
        case 'credit':
          credit(record.address, BigInt(record.winston));
          break;
        default:
          record satisfies never;
      }
    },

    /** The next block: all pending transactions that their wallets can pay for. `now` in seconds since 1970. */
    nextBlock(now: number): Extract<ChainRecord, { kind: 'block' }> {
      const remaining = new Map<string, bigint>();
      const transactions: string[] = [];
      for (const { id, owner, reward, quantity } of pending) {
        const balance = (remaining.get(owner) ?? balances.get(owner) ?? 0n) - reward - quantity;
        if (balance < 0n) continue;
        remaining.set(owner, balance);
        transactions.push(id);
      }
      return { kind: 'block', ...newBlock(tip(), now, transactions), transactions };
    },

    /** The record that replaces the last `count` blocks, but never the first block. */
    reorganisation(count: number, drop: boolean, now: number): Extract<ChainRecord, { kind: 'reorganise' }> {
      const lost = Math.min(count, blocks.length - 1);
      let previous: { hash: string; timestamp: number } | undefined = blocks[blocks.length - 1 - lost];
      const replacements = Array.from({ length: lost }, () => {
        previous = newBlock(previous, now, []);
        return previous;
      });
      return { kind: 'reorganise', drop, blocks: replacements };
    },

    get height() {
      return blocks.length - 1;
    },
    tip,
    weaveSize,
    anchorIsAlive,
    block: (height: number) => blocks[height],
    transaction: (id: string) => byId.get(id),
    transactionsOf: (block: Block) => mined.slice(block.first, block.first + block.count),
    mined: mined as readonly ChainTransaction[],
    pending: (): readonly ChainTransaction[] => pending,
    suggestedAnchor: () => blocks[Math.max(0, blocks.length - SUGGESTED_ANCHOR_DEPTH)]?.hash ?? '',
    lastTransactionOf: (address: string) => mined.findLast(({ owner }) => owner === address)?.id ?? '',
    balance: (address: string) => balances.get(address) ?? 0n,

    /** A wallet's balance less the cost of its pending transactions. */
    spendable: (address: string) => (balances.get(address) ?? 0n) - (reserved.get(address) ?? 0n),

    /** The mined transaction whose data contain this byte of the weave; offsets start at 1. */
    transactionAtWeaveOffset(offset: number): ChainTransaction | undefined {
      let low = 0;
      let high = mined.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((mined[middle]?.place?.weaveEnd ?? 0) < offset) low = middle + 1;
        else high = middle;
      }
      return offset > 0 ? mined[low] : undefined;
    },
  };
}

function newBlock(previous: { hash: string; timestamp: number } | undefined, now: number, ids: readonly string[]) {
  const timestamp = Math.max(now, previous?.timestamp ?? 0);
  const content = JSON.stringify([previous?.hash ?? null, timestamp, ids, randomBytes(16).toString('hex')]);
  return { hash: createHash('sha384').update(content).digest('base64url'), timestamp };
}
