import { createHash } from 'node:crypto';
import { fromBase64, toBase64 } from '../../protocol/signing/encoding.ts';
import { decodeFrontier, encodeFrontier, type Frontier } from '../../protocol/transparency/merkle.ts';
import { FINAL_CONFIRMATIONS } from '../../server/ledger/confirm.ts';
import { type ListedBundle, UNPLACED } from './bundle-list.ts';
import type { ChainEnd } from './chain-order.ts';
import type { FindingsSnapshot } from './findings.ts';
import type { KeysSnapshot } from './relayer-keys.ts';
import type { ReplayPoint } from './replay.ts';
import type { StateRest } from './replayed-state.ts';
import type { Tally } from './tally.ts';

/**
 * What an audit has reached after the first bundles of a ledger, all of them FINAL and without a gap. With the file of the
 * state, another audit continues with it.
 */
export interface AuditPoint {
  /** How many bundles, in the order of the ledger, and a digest of the list of them. */
  readonly bundles: number;
  readonly bundlesDigest: string;
  readonly end: ChainEnd;
  /** The Merkle tree over the entries up to `end`; its hashes in base64. */
  readonly tree: string;
  readonly findings: FindingsSnapshot;
  readonly keys: KeysSnapshot;
  readonly replay: ReplayPoint;
  readonly state: StateRest;
  readonly network: Tally;
  readonly paidTwice: readonly string[];
}

/** The network does not list the bundles of a point any more, or lists others for its entries. */
export class PointLeft extends Error {
  override readonly name = 'PointLeft';
}

export const encodeTree = (tree: Frontier): string => toBase64(encodeFrontier(tree));

export const treeOf = ({ end, tree }: Pick<AuditPoint, 'end' | 'tree'>): Frontier =>
  decodeFrontier(end.seq, fromBase64(tree) ?? new Uint8Array(0));

export function digestOf(bundles: readonly ListedBundle[]): string {
  const hash = createHash('sha256');
  for (const { id, firstSeq, lastSeq } of bundles) hash.update(`${id} ${firstSeq} ${lastSeq}\n`);
  return hash.digest('hex');
}

/** @returns the bundles after the point. @throws {PointLeft} */
export function bundlesAfter(bundles: readonly ListedBundle[], from: AuditPoint): readonly ListedBundle[] {
  const rest = bundles.slice(from.bundles);
  const isSame = digestOf(bundles.slice(0, from.bundles)) === from.bundlesDigest;
  if (isSame && rest.every(({ firstSeq }) => firstSeq > from.end.seq)) return rest;
  throw new PointLeft('The network lists other bundles for entries that were verified before.');
}

/** How many of the first bundles a reorganisation cannot remove. */
export function finalBundles(bundles: readonly ListedBundle[], height: number): number {
  const first = bundles.findIndex(
    (bundle) => bundle.firstSeq === UNPLACED || height - bundle.height + 1 < FINAL_CONFIRMATIONS,
  );
  return first === -1 ? bundles.length : first;
}
