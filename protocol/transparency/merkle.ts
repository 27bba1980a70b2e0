import { sha256Bytes } from '#digests';
import { concatBytes } from '../signing/encoding.ts';
import { malformed } from './transparency-error.ts';

export const HASH_BYTES = 32;

/** 32 bytes of SHA-256. */
export type Hash = Uint8Array;

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

/** The root of the tree without leaves (RFC 9162 §2.1.1). */
export const EMPTY_ROOT: Hash = sha256Bytes();

/** RFC 9162 §2.1.1; the same as RFC 6962 §2.1. */
export const leafHash = (data: Uint8Array): Hash => sha256Bytes(LEAF_PREFIX, data);
export const nodeHash = (left: Hash, right: Hash): Hash => sha256Bytes(NODE_PREFIX, left, right);

export const isSameHash = (one: Hash, other: Hash): boolean =>
  one.length === HASH_BYTES && other.length === HASH_BYTES && one.every((byte, at) => byte === other[at]);

/** Sizes, seqs and indexes are numbers of at most 2^53 − 1. */
export const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/* Complete subtrees ---------------------------------------------------------------------------------------------- */

/** The subtree of 2^level leaves that begins at leaf index · 2^level. Only complete ones have a hash that never changes. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Returns the hash of a complete subtree. */
export type HashOf = (subtree: Subtree) => Hash;

const HIGHEST_LEVEL = 52;

/**
 * The complete subtrees that cover the leaves from `start` up to `end`, from left to right, largest first. `start` must be a
 * multiple of the largest; in the ranges of proofs it always is.
 */
export function subtreesOf(start: number, end: number): Subtree[] {
  const subtrees: Subtree[] = [];
  let at = start;
  for (let level = HIGHEST_LEVEL; level >= 0; level--) {
    const leaves = 2 ** level;
    if (end - at < leaves) continue;
    subtrees.push({ level, index: at / leaves });
    at += leaves;
  }
  return subtrees;
}

/** Hashes complete subtrees of falling size into one (RFC 9162 §2.1.1: the left subtree is the largest power of two). */
export const joinHashes = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));

/* The frontier --------------------------------------------------------------------------------------------------- */

/** All that is needed to append leaves and to compute the root: one hash for each bit that is set in the size. */
export interface Frontier {
  readonly size: number;
  /** The hashes of subtreesOf(0, size). */
  readonly hashes: readonly Hash[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/**
 * Appends leaves, given by their hashes. `visit` receives every subtree that becomes complete, the leaves included, each after
 * its children. Costs about two hashes a leaf.
 */
export function appendLeaves(
  frontier: Frontier,
  leafHashes: Iterable<Hash>,
  visit: (subtree: Subtree, hash: Hash) => void = () => {},
): Frontier {
  const hashes = [...frontier.hashes];
  let size = frontier.size;
  for (const leaf of leafHashes) {
    let hash = leaf;
    let level = 0;
    let index = size;
    visit({ level, index }, hash);
    for (; index % 2 === 1; index = (index - 1) / 2) {
      const left = hashes.pop();
      if (left === undefined) throw malformed(`The frontier of ${frontier.size} leaves lacks hashes.`);
      hash = nodeHash(left, hash);
      level += 1;
      visit({ level, index: (index - 1) / 2 }, hash);
    }
    hashes.push(hash);
    size += 1;
  }
  return { size, hashes };
}

export const frontierRoot = ({ hashes }: Frontier): Hash => joinHashes(hashes);

/** The frontier of a tree whose subtrees can be read. */
export const frontierOf = (size: number, hashOf: HashOf): Frontier => ({
  size,
  hashes: subtreesOf(0, size).map(hashOf),
});

export const encodeFrontier = ({ hashes }: Frontier): Uint8Array => concatBytes(...hashes);

/** @throws {TransparencyError} unless the bytes are as many hashes as a tree of this size has */
export function decodeFrontier(size: number, bytes: Uint8Array): Frontier {
  if (!isSize(size)) throw malformed(`${size} is not the size of a tree.`);
  const count = subtreesOf(0, size).length;
  if (bytes.length !== count * HASH_BYTES) {
    throw malformed(`The frontier of ${size} leaves has ${count} hashes, not ${bytes.length} bytes.`);
  }
  return { size, hashes: splitHashes(bytes) };
}

/** Splits bytes whose length is a multiple of 32 into hashes; they are views of the bytes. */
export const splitHashes = (bytes: Uint8Array): Hash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));

/** The root of a tree, from the hashes of all its leaves. */
export const rootOf = (leafHashes: Iterable<Hash>): Hash => frontierRoot(appendLeaves(EMPTY_FRONTIER, leafHashes));
