import {
  beginSuccession,
  COMMIT_RELAYER_KEY,
  currentKey,
  extendSuccession,
  type KeyMessage,
  keyDigest,
  ROTATE_RELAYER_KEY,
  type Succession,
  SuccessionError,
} from '../../protocol/ledger/relayer-keys.ts';
import { isStrictPublicKeyNatively, verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { CheckedEntry, Rules } from './checked.ts';
import type { Findings } from './findings.ts';

type Place = Pick<CheckedEntry, 'epoch' | 'seq'>;

/** The keys of the relayer, as the entries that were read so far determine them. */
export interface RelayerKeys {
  /** Whether the key that signed an entry was the relayer's at its place. */
  isRelayers(entry: Place & Pick<CheckedEntry, 'owner'>): boolean;
  /** Why the entry is not the relayer's, in one sentence. */
  problemOf(entry: CheckedEntry): string;
  /** Whether any entry, also one that a restore left out, introduced this key. */
  isKnown(owner: string): boolean;
  /** Takes over the change of an entry that continues the chain. */
  follow(entry: CheckedEntry): void;
  /** Notes the change of an entry that is not part of the chain. */
  leaveOut(entry: CheckedEntry): void;
  /** Reports rotations that were left out and not repeated. Call it at the end of the network's ledger. */
  compareLeftOut(): void;
  readonly succession: Succession;
  /** What `createRelayerKeys` continues with; null while changes that were left out must be compared. */
  readonly snapshot: KeysSnapshot | null;
}

export interface KeysSnapshot {
  readonly succession: Succession;
  readonly rotations: readonly (Place & { readonly newKey: string })[];
  readonly known: readonly string[];
  readonly commitments: readonly (readonly [string, string])[];
}

const CHECKS = { verify: verifyNatively, isStrict: isStrictPublicKeyNatively };
const MAX_LEFT_OUT = 1_000;

/** The change of key in an entry; null if it has none. */
const changeIn = ({ functionName, publicFacts }: CheckedEntry): KeyMessage | null =>
  functionName === COMMIT_RELAYER_KEY || functionName === ROTATE_RELAYER_KEY
    ? (publicFacts as KeyMessage | null)
    : null;

const isBefore = (one: Place, other: Place): boolean =>
  one.epoch === other.epoch ? one.seq < other.seq : one.epoch < other.epoch;

export function createRelayerKeys(
  { ledgerId, relayerKey }: Rules,
  findings: Findings,
  from: KeysSnapshot | null = null,
): RelayerKeys {
  let succession = from?.succession ?? beginSuccession(ledgerId, relayerKey);
  const rotations = [...(from?.rotations ?? [])];
  const known = new Set(from?.known ?? [relayerKey]);
  /** What each key was committed to. Not even a new epoch changes it. */
  const commitments = new Map(from?.commitments);
  const leftOut: { readonly entry: CheckedEntry; readonly newKey: string }[] = [];

  /** A key that was replaced does not return with a new epoch: the thief who has it could begin one. */
  const expectedAt = (place: Place): string =>
    rotations.findLast((rotation) => isBefore(rotation, place))?.newKey ?? relayerKey;

  const report = (sentence: string, entry: CheckedEntry): void =>
    findings.add({ kind: 'RELAYER_KEY', sentence }, entry);

  /** @param key the key that the message commits to a successor */
  function noteCommitment(key: string, { nextKeyDigest }: KeyMessage, entry: CheckedEntry): void {
    const earlier = commitments.get(key) ?? nextKeyDigest;
    commitments.set(key, earlier);
    if (earlier === nextKeyDigest) return;
    report(`It commits the key ${key} to a successor, but another entry commits it to another one.`, entry);
  }

  function follow(entry: CheckedEntry): void {
    const message = changeIn(entry);
    if (!message) return;
    try {
      succession = extendSuccession(succession, entry, message, CHECKS);
    } catch (error) {
      if (!(error instanceof SuccessionError)) throw error;
      report(error.message, entry);
      return;
    }
    noteCommitment(currentKey(succession), message, entry);
    if (message.function === COMMIT_RELAYER_KEY) return;
    rotations.push({ epoch: entry.epoch, seq: entry.seq, newKey: message.newKey });
    known.add(message.newKey);
  }

  function leaveOut(entry: CheckedEntry): void {
    const message = changeIn(entry);
    if (message?.function === COMMIT_RELAYER_KEY) noteCommitment(entry.owner, message, entry);
    if (message?.function !== ROTATE_RELAYER_KEY || commitments.get(entry.owner) !== keyDigest(message.newKey)) return;
    noteCommitment(message.newKey, message, entry);
    known.add(message.newKey);
    if (leftOut.length < MAX_LEFT_OUT) leftOut.push({ entry, newKey: message.newKey });
  }

  function compareLeftOut(): void {
    for (const { entry, newKey } of leftOut) {
      if (rotations.some((rotation) => rotation.newKey === newKey)) continue;
      report(`It replaces the relayer’s key by ${newKey}, but a later epoch leaves it out.`, entry);
    }
  }

  return {
    isRelayers: (entry) => entry.owner === expectedAt(entry),
    isKnown: (owner) => known.has(owner),
    problemOf(entry) {
      if (!known.has(entry.owner)) return 'The item is signed by a key that is not the relayer’s.';
      return `The item is signed by ${entry.owner}, but the relayer’s key at this place is ${expectedAt(entry)}.`;
    },
    follow,
    leaveOut,
    compareLeftOut,
    get succession() {
      return succession;
    },
    get snapshot() {
      if (leftOut.length > 0) return null;
      return { succession, rotations: [...rotations], known: [...known], commitments: [...commitments] };
    },
  };
}
