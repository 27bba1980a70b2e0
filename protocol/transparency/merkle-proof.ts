import {
  EMPTY_ROOT,
  HASH_BYTES,
  type Hash,
  type HashOf,
  isSameHash,
  isSize,
  joinHashes,
  nodeHash,
  type Subtree,
  subtreesOf,
} from './merkle.ts';
import { malformed } from './transparency-error.ts';

/** No proof in a tree of fewer than 2^63 leaves is longer. */
export const MAX_PROOF_HASHES = 63;

/* Which hashes a proof contains ---------------------------------------------------------------------------------- */

/** The leaves from `start` up to `end`. A proof contains the hash of each of its ranges. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The largest power of two below n, for n > 1 (k in RFC 9162 §2.1.1). */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** RFC 9162 §2.1.3.1, from the sibling of the leaf to the child of the root. */
function inclusionRanges(index: number, size: number): Range[] {
  if (!isSize(index) || !isSize(size) || index >= size) {
    throw malformed(`A tree of ${size} leaves has no leaf with the index ${index}.`);
  }
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** RFC 9162 §2.1.4.1. Empty also from the empty tree, from which C2SP tlog-witness requires no proof. */
function consistencyRanges(oldSize: number, size: number): Range[] {
  if (!isSize(oldSize) || !isSize(size) || oldSize > size) {
    throw malformed(`A tree of ${size} leaves does not extend one of ${oldSize}.`);
  }
  if (oldSize === 0) return [];
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end !== oldSize) {
    const middle = start + split(end - start);
    if (oldSize <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

const subtreesIn = (ranges: readonly Range[]): Subtree[] => ranges.flatMap(({ start, end }) => subtreesOf(start, end));

const hashRanges = (ranges: readonly Range[], hashOf: HashOf): Hash[] =>
  ranges.map(({ start, end }) => joinHashes(subtreesOf(start, end).map(hashOf)));

/* Making proofs -------------------------------------------------------------------------------------------------- */

/** The subtrees whose hashes inclusionProof reads: at most 2 · log2(size). @throws {TransparencyError} if index ≥ size */
export const inclusionSubtrees = (index: number, size: number): Subtree[] => subtreesIn(inclusionRanges(index, size));

/** The proof that the leaf at `index` is in the tree of `size` leaves (RFC 9162 §2.1.3.1). @throws {TransparencyError} if index ≥ size */
export const inclusionProof = (index: number, size: number, hashOf: HashOf): Hash[] =>
  hashRanges(inclusionRanges(index, size), hashOf);

/** The subtrees whose hashes consistencyProof reads: at most 2 · log2(size). @throws {TransparencyError} if oldSize > size */
export const consistencySubtrees = (oldSize: number, size: number): Subtree[] =>
  subtreesIn(consistencyRanges(oldSize, size));

/** The proof that the tree of `size` leaves extends the one of `oldSize` (RFC 9162 §2.1.4.1). @throws {TransparencyError} if oldSize > size */
export const consistencyProof = (oldSize: number, size: number, hashOf: HashOf): Hash[] =>
  hashRanges(consistencyRanges(oldSize, size), hashOf);

/* Verifying proofs ----------------------------------------------------------------------------------------------- */

export interface Inclusion {
  /** From 0. */
  readonly index: number;
  readonly size: number;
  readonly leafHash: Hash;
  readonly root: Hash;
  readonly proof: readonly Hash[];
}

export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Hash;
  readonly size: number;
  readonly root: Hash;
  readonly proof: readonly Hash[];
}

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const areHashes = (values: readonly Hash[]): boolean => values.every(({ length }) => length === HASH_BYTES);

/** RFC 9162 §2.1.3.2; `leaf` and `last` are its fn and sn. False for any input that proves nothing; never throws. */
export function isIncluded({ index, size, leafHash, root, proof }: Inclusion): boolean {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes([leafHash, root]) || !areHashes(proof))
    return false;
  let [leaf, last] = [index, size - 1];
  let hash = leafHash;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(leaf) || leaf === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(leaf) && leaf !== 0) [leaf, last] = [half(leaf), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [leaf, last] = [half(leaf), half(last)];
  }
  return last === 0 && isSameHash(hash, root);
}

/**
 * RFC 9162 §2.1.4.2; `oldLast` and `last` are its fn and sn. Between trees of one size, and from the empty tree, only the empty proof
 * is valid (C2SP tlog-witness). False for any input that proves nothing; never throws.
 */
export function isConsistent({ oldSize, oldRoot, size, root, proof }: Consistency): boolean {
  if (!isSize(oldSize) || !isSize(size) || oldSize > size || !areHashes([oldRoot, root]) || !areHashes(proof))
    return false;
  if (oldSize === size) return proof.length === 0 && isSameHash(oldRoot, root);
  if (oldSize === 0) return proof.length === 0 && isSameHash(oldRoot, EMPTY_ROOT);
  if (proof.length === 0) return false;
  let [oldLast, last] = [oldSize - 1, size - 1];
  while (isOdd(oldLast)) [oldLast, last] = [half(oldLast), half(last)];
  // After the loop oldLast is 0 exactly if oldSize is a power of two: the old root is then a subtree itself.
  const [first = oldRoot, ...others] = oldLast === 0 ? [oldRoot, ...proof] : proof;
  let [oldHash, hash] = [first, first];
  for (const sibling of others) {
    if (last === 0) return false;
    if (isOdd(oldLast) || oldLast === last) {
      oldHash = nodeHash(sibling, oldHash);
      hash = nodeHash(sibling, hash);
      while (!isOdd(oldLast) && oldLast !== 0) [oldLast, last] = [half(oldLast), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [oldLast, last] = [half(oldLast), half(last)];
  }
  return last === 0 && isSameHash(oldHash, oldRoot) && isSameHash(hash, root);
}
