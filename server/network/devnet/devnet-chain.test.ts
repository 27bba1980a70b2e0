import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SignedTransaction } from '../arweave-transaction.ts';
import { walletAddress } from '../wallet.ts';
import { type Chain, type ChainRecord, createChain } from './devnet-chain.ts';

type StateRecord = Exclude<ChainRecord, { kind: 'chunk' }>;

const owners = ['b25l', 'dHdv'];
const addresses = owners.map((n) => walletAddress({ n }));
const FUNDS = 1_000n;

function transaction(number: number, owner: string, last_tx: string): SignedTransaction {
  return {
    format: 2,
    id: `transaction ${number}`,
    last_tx,
    owner,
    tags: [],
    target: addresses[number % 2] ?? '',
    quantity: String(number % 3),
    data_size: String(number % 5),
    data_root: '',
    reward: '7',
    signature: '',
  };
}

/** The whole state of a chain. */
function dump(chain: Chain) {
  const blocks = Array.from({ length: chain.height + 1 }, (_, height) => chain.block(height));
  return {
    blocks: blocks.map((block) => block && { ...block, ids: chain.transactionsOf(block).map(({ id }) => id) }),
    pending: chain.pending().map(({ id }) => id),
    mined: chain.mined.map(({ id, place }) => ({ id, place })),
    balances: addresses.map((address) => [chain.balance(address), chain.spendable(address)]),
    anchor: chain.suggestedAnchor(),
  };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('post' as const), owner: fc.nat({ max: 1 }), age: fc.nat({ max: 60 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reorganise' as const), blocks: fc.nat({ max: 30 }), drop: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('credit' as const), winston: fc.integer({ min: -20, max: 20 }) }),
  },
);

describe('the chain', () => {
  test('is identical after a replay, charges each reward once and mines each transaction once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const chain = createChain();
        const records: StateRecord[] = [];
        const apply = (record: StateRecord) => {
          chain.apply(record, records.length);
          records.push(record);
        };
        let credited = FUNDS * 2n;
        let clock = 1_000;
        for (const address of addresses) apply({ kind: 'credit', address, winston: String(FUNDS) });
        apply(chain.nextBlock(clock));

        for (const [number, next] of steps.entries()) {
          clock++;
          if (next.kind === 'mine') for (let block = 0; block < next.blocks; block++) apply(chain.nextBlock(clock));
          if (next.kind === 'reorganise') apply(chain.reorganisation(next.blocks, next.drop, clock));
          if (next.kind === 'credit') {
            apply({ kind: 'credit', address: addresses[0] ?? '', winston: String(next.winston) });
            credited += BigInt(next.winston);
          }
          if (next.kind === 'post') {
            const anchor = chain.block(Math.max(0, chain.height - next.age))?.hash ?? '';
            if (!chain.anchorIsAlive(anchor)) continue;
            apply({
              kind: 'transaction',
              transaction: transaction(number, owners[next.owner] ?? '', anchor),
              inline: true,
            });
          }
        }

        const replayed = createChain();
        for (const [at, record] of records.entries()) replayed.apply(record, at);
        expect(dump(replayed)).toEqual(dump(chain));

        const balances = addresses.reduce((total, address) => total + chain.balance(address), 0n);
        expect(balances + 7n * BigInt(chain.mined.length)).toBe(credited);
        const known = [...chain.mined, ...chain.pending()].map(({ id }) => id);
        expect(new Set(known).size).toBe(known.length);
        for (const { id, anchor } of chain.pending()) expect([id, chain.anchorIsAlive(anchor)]).toEqual([id, true]);
        for (let offset = 1; offset <= chain.weaveSize(); offset++) {
          const found = chain.transactionAtWeaveOffset(offset);
          const end = found?.place?.weaveEnd ?? 0;
          expect(offset > end - (found?.dataSize ?? 0) && offset <= end).toBe(true);
        }
        expect(chain.transactionAtWeaveOffset(chain.weaveSize() + 1)).toBeUndefined();
      }),
    );
  });

  test('never decreases block timestamps', () => {
    const chain = createChain();
    for (const now of [1_000, 900, 1_100, 0]) chain.apply(chain.nextBlock(now), 0);
    expect([0, 1, 2, 3].map((height) => chain.block(height)?.timestamp)).toEqual([1_000, 1_000, 1_100, 1_100]);
  });
});
