import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import {
  appendLeaves,
  decodeFrontier,
  EMPTY_FRONTIER,
  EMPTY_ROOT,
  encodeFrontier,
  type Frontier,
  frontierOf,
  frontierRoot,
  type Hash,
  leafHash,
  rootOf,
  type Subtree,
} from './merkle.ts';
import {
  type Consistency,
  consistencyProof,
  consistencySubtrees,
  type Inclusion,
  inclusionProof,
  inclusionSubtrees,
  isConsistent,
  isIncluded,
  MAX_PROOF_HASHES,
} from './merkle-proof.ts';
import { checkConsistency, checkInclusion, NaiveTree } from './test-second-implementation.ts';
import { TransparencyError } from './transparency-error.ts';

const SIZES = 300;
/** Up to this size every proof is compared. */
const EVERY_PROOF = amount(70, SIZES);
const data = Array.from({ length: SIZES }, (_, index) => Buffer.from(`entry ${index}`));
const naive = new NaiveTree(data);
const leaves = data.map(leafHash);
const leafAt = (index: number): Hash => leaves[index % SIZES] ?? EMPTY_ROOT;
const hashOf = ({ level, index }: Subtree): Hash => naive.mth(index * 2 ** level, (index + 1) * 2 ** level);

const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => bytesToHex(hash));
const isSameProof = (one: readonly Uint8Array[], other: readonly Uint8Array[]) =>
  Buffer.concat(one).equals(Buffer.concat(other));
const upTo = (limit: number) => Array.from({ length: limit + 1 }, (_, value) => value);

const inclusionOf = (index: number, size: number): Inclusion => ({
  index,
  size,
  leafHash: leafAt(index),
  root: naive.mth(0, size),
  proof: inclusionProof(index, size, hashOf),
});
const consistencyOf = (oldSize: number, size: number): Consistency => ({
  oldSize,
  oldRoot: naive.mth(0, oldSize),
  size,
  root: naive.mth(0, size),
  proof: consistencyProof(oldSize, size, hashOf),
});
/** What both implementations find. */
const inBoth = ({ index, size, leafHash: leaf, root, proof }: Inclusion) => [
  isIncluded({ index, size, leafHash: leaf, root, proof }),
  checkInclusion(index, size, leaf, proof, root),
];
const consistentInBoth = ({ oldSize, oldRoot, size, root, proof }: Consistency) => [
  isConsistent({ oldSize, oldRoot, size, root, proof }),
  checkConsistency(oldSize, size, oldRoot, root, proof),
];

describe('the frontier', () => {
  test('has the root of every prefix, appended one by one, all at once, or read from subtrees', () => {
    let frontier: Frontier = EMPTY_FRONTIER;
    for (const size of upTo(SIZES)) {
      const root = naive.mth(0, size).toString('hex');
      expect(bytesToHex(frontierRoot(frontier))).toBe(root);
      expect(bytesToHex(rootOf(leaves.slice(0, size)))).toBe(root);
      expect(hex(frontierOf(size, hashOf).hashes)).toEqual(hex(frontier.hashes));
      expect(hex(decodeFrontier(size, encodeFrontier(frontier)).hashes)).toEqual(hex(frontier.hashes));
      frontier = appendLeaves(frontier, [leafAt(size)]);
    }
  });

  test('grows to the same hashes from any prefix, and leaves the prefix unchanged', () => {
    fc.assert(
      fc.property(fc.nat(SIZES), fc.nat(SIZES), (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const prefix = appendLeaves(EMPTY_FRONTIER, leaves.slice(0, from));
        const before = hex(prefix.hashes);
        const grown = appendLeaves(prefix, leaves.slice(from, to));
        expect([grown.size, hex(grown.hashes)]).toEqual([to, hex(frontierOf(to, hashOf).hashes)]);
        expect([prefix.size, hex(prefix.hashes)]).toEqual([from, before]);
      }),
    );
  });

  test('reports every subtree that becomes complete once, after its children, with its hash', () => {
    const seen: string[] = [];
    appendLeaves(EMPTY_FRONTIER, leaves, (subtree, hash) => {
      const { level, index } = subtree;
      expect(bytesToHex(hash)).toBe(bytesToHex(hashOf(subtree)));
      if (level > 0) expect(seen).toContain(`${level - 1}:${index * 2 + 1}`);
      seen.push(`${level}:${index}`);
    });
    const complete = upTo(8).reduce((sum, level) => sum + Math.floor(SIZES / 2 ** level), 0);
    expect([seen.length, new Set(seen).size]).toEqual([complete, complete]);
  });

  test('is not decoded from the bytes of another size', () => {
    const bytes = encodeFrontier(frontierOf(7, hashOf));
    for (const size of [8, 5, -1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => decodeFrontier(size, bytes)).toThrow(TransparencyError);
    }
    expect(() => decodeFrontier(7, bytes.subarray(1))).toThrow(TransparencyError);
    expect(() => appendLeaves({ size: 7, hashes: [] }, [leafAt(0)])).toThrow(TransparencyError);
  });
});

describe('inclusion proofs', () => {
  test('of every leaf of every prefix equal those of the second implementation, and verify in both', () => {
    for (const size of upTo(EVERY_PROOF)) {
      for (let index = 0; index < size; index++) {
        const inclusion = inclusionOf(index, size);
        if (!isSameProof(inclusion.proof, naive.path(index, 0, size))) expect.fail(`${index} of ${size}`);
        if (inBoth(inclusion).includes(false)) expect.fail(`${index} of ${size}`);
      }
    }
  });

  test('do not verify for another index', () => {
    for (const size of [2, 3, 7, 64, 65, 127]) {
      for (let index = 0; index < size; index++) {
        const wrong = { ...inclusionOf(index, size), index: (index + 1 + (index % (size - 1))) % size };
        expect(inBoth(wrong)).toEqual(wrong.index === index ? [true, true] : [false, false]);
      }
    }
  });

  const places = fc
    .oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
    .chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)));

  test('in trees of up to 2^53 leaves equal those of the second implementation, and verify in both', () => {
    fc.assert(
      fc.property(places, ([index, size]) => {
        const inclusion = inclusionOf(index, size);
        expect(hex(inclusion.proof)).toEqual(hex(naive.path(index, 0, size)));
        expect(inBoth(inclusion)).toEqual([true, true]);
        expect(inclusionSubtrees(index, size).length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size + 1)));
      }),
    );
  });

  test('do not verify after a change of any byte, or if a hash is missing, added or moved', () => {
    for (const [index, size] of [
      [0, 1],
      [5, 13],
      [12, 13],
      [0, 256],
      [200, 300],
    ] as const) {
      const good = inclusionOf(index, size);
      for (const wrong of changesOf(good.proof)) expect(inBoth({ ...good, proof: wrong })).toEqual([false, false]);
      for (const root of bytewise(good.root)) expect(inBoth({ ...good, root })).toEqual([false, false]);
      for (const leaf of bytewise(good.leafHash)) expect(inBoth({ ...good, leafHash: leaf })).toEqual([false, false]);
    }
  });

  test('of no leaf are made or accepted', () => {
    for (const [index, size] of [
      [0, 0],
      [1, 1],
      [-1, 3],
      [0.5, 3],
      [Number.NaN, 3],
      [0, Number.NaN],
      [0, 2 ** 53],
    ] as const) {
      expect(() => inclusionProof(index, size, hashOf)).toThrow(TransparencyError);
      expect(isIncluded({ ...inclusionOf(0, 1), index, size })).toBe(false);
    }
  });
});

describe('consistency proofs', () => {
  test('between every pair of prefixes equal those of the second implementation, and verify in both', () => {
    for (const size of upTo(EVERY_PROOF)) {
      for (const oldSize of upTo(size)) {
        const consistency = consistencyOf(oldSize, size);
        const expected = oldSize === 0 ? [] : naive.proof(oldSize, size);
        if (!isSameProof(consistency.proof, expected)) expect.fail(`from ${oldSize} to ${size}`);
        if (consistentInBoth(consistency).includes(false)) expect.fail(`from ${oldSize} to ${size}`);
      }
    }
  });

  test('between trees of up to 2^53 leaves equal those of the second implementation, and verify in both', () => {
    const sizes = fc.oneof(fc.nat(5_000), fc.nat(Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(sizes, sizes, (one, other) => {
        const [oldSize, size] = [Math.min(one, other), Math.max(one, other)];
        const consistency = consistencyOf(oldSize, size);
        expect(hex(consistency.proof)).toEqual(hex(oldSize === 0 ? [] : naive.proof(oldSize, size)));
        expect(consistentInBoth(consistency)).toEqual([true, true]);
        expect(consistencySubtrees(oldSize, size).length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size + 1)));
      }),
    );
  });

  test('do not verify after a change of any byte, or if a hash is missing, added or moved', () => {
    for (const [oldSize, size] of [
      [1, 2],
      [4, 7],
      [6, 13],
      [13, 13],
      [0, 5],
      [256, 300],
      [255, 257],
    ] as const) {
      const good = consistencyOf(oldSize, size);
      for (const wrong of changesOf(good.proof))
        expect(consistentInBoth({ ...good, proof: wrong })).toEqual([false, false]);
      for (const oldRoot of bytewise(good.oldRoot))
        expect(consistentInBoth({ ...good, oldRoot })).toEqual([false, false]);
      // Every tree extends the empty one.
      if (oldSize === 0) continue;
      for (const root of bytewise(good.root)) expect(consistentInBoth({ ...good, root })).toEqual([false, false]);
    }
  });

  test('to a smaller tree, or between numbers that are no sizes, are neither made nor accepted', () => {
    for (const [oldSize, size] of [
      [3, 2],
      [-1, 3],
      [0.5, 3],
      [Number.NaN, 3],
      [1, Number.NaN],
      [1, 2 ** 53],
    ] as const) {
      expect(() => consistencyProof(oldSize, size, hashOf)).toThrow(TransparencyError);
      expect(isConsistent({ ...consistencyOf(1, 2), oldSize, size })).toBe(false);
    }
  });
});

test('no proof of wrong hashes is accepted, however long', () => {
  const hashes = [new Uint8Array(31), new Uint8Array(33), new Uint8Array()];
  for (const wrong of hashes) {
    expect(isIncluded({ ...inclusionOf(0, 1), leafHash: wrong, root: wrong })).toBe(false);
    expect(isConsistent({ ...consistencyOf(7, 7), oldRoot: wrong, root: wrong })).toBe(false);
    expect(isIncluded({ ...inclusionOf(0, 2), proof: [wrong] })).toBe(false);
  }
  const endless = Array.from({ length: MAX_PROOF_HASHES + 1 }, () => leafAt(0));
  expect(isIncluded({ ...inclusionOf(0, 2), proof: endless })).toBe(false);
  expect(isConsistent({ ...consistencyOf(1, 2), proof: endless })).toBe(false);
});

/** Copies in which one byte is changed. */
const bytewise = (bytes: Uint8Array): Uint8Array[] =>
  Array.from(bytes, (_, at) => bytes.map((byte, index) => (index === at ? byte ^ (1 << (at % 8)) : byte)));

/** Copies of a proof in which one byte is changed, or a hash is missing, added or swapped with the next one. */
function changesOf(proof: readonly Hash[]): Hash[][] {
  const added = leafAt(1);
  return [
    [added, ...proof],
    [...proof, added],
    ...proof.flatMap((hash, at) => [
      ...bytewise(hash).map((changed) => proof.with(at, changed)),
      proof.toSpliced(at, 1),
      proof.toSpliced(at, 0, hash),
      ...(at + 1 < proof.length ? [proof.toSpliced(at, 2, proof[at + 1] ?? added, hash)] : []),
    ]),
  ];
}
