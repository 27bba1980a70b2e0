import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson } from '../signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../signing/ed25519.ts';
import { bytesToHex, hexToBytes, utf8ToBytes } from '../signing/encoding.ts';

/** The functions of the entries that change the relayer's key; only the relayer signs them. docs/transparency.md */
export const COMMIT_RELAYER_KEY = 'commitRelayerKey';
export const ROTATE_RELAYER_KEY = 'rotateRelayerKey';

/** The function of the message with which the next key accepts its role. It is no entry. */
const ACCEPT_RELAYER_KEY = 'acceptRelayerKey';

/** Commits the current key to its successor. */
export interface KeyCommitment {
  readonly function: typeof COMMIT_RELAYER_KEY;
  readonly ledgerId: string;
  /** Hex: the SHA-256 of the 32 bytes of the next public key. */
  readonly nextKeyDigest: string;
}

/** Replaces the current key, and commits the new one to its successor. */
export interface KeyRotation {
  readonly function: typeof ROTATE_RELAYER_KEY;
  readonly ledgerId: string;
  /** Hex. */
  readonly newKey: string;
  readonly nextKeyDigest: string;
  /** Base64: the new key's signature of `possessionMessage`. */
  readonly possession: string;
}

export type KeyMessage = KeyCommitment | KeyRotation;

export const keyCommitment = (ledgerId: string, nextKeyDigest: string): KeyCommitment => ({
  function: COMMIT_RELAYER_KEY,
  ledgerId,
  nextKeyDigest,
});

/** What a rotation states besides the proof of possession. */
type Handover = Pick<KeyRotation, 'ledgerId' | 'newKey' | 'nextKeyDigest'>;

/** The bytes that the new key signs: with them it takes over from `currentKey` (hex), in this ledger only. */
export const possessionMessage = (
  { ledgerId, newKey, nextKeyDigest }: Handover,
  currentKey: string,
): Uint8Array<ArrayBufferLike> =>
  utf8ToBytes(canonicalJson({ function: ACCEPT_RELAYER_KEY, ledgerId, currentKey, newKey, nextKeyDigest }));

/** @param possession base64 */
export const keyRotation = (handover: Handover, possession: string): KeyRotation => ({
  function: ROTATE_RELAYER_KEY,
  ...handover,
  possession,
});

/** Hex SHA-256 of a public key in hex, as a commitment states it. */
export const keyDigest = (publicKey: string): string => bytesToHex(sha256(hexToBytes(publicKey)));

const HEX32 = /^[0-9a-f]{64}$/;
const MEMBERS = {
  [COMMIT_RELAYER_KEY]: 'function,ledgerId,nextKeyDigest',
  [ROTATE_RELAYER_KEY]: 'function,ledgerId,newKey,nextKeyDigest,possession',
};

/** The message of an entry that changes the relayer's key; null if it is not of that form. Verifies nothing. */
export function readKeyMessage(message: Readonly<Record<string, unknown>>): KeyMessage | null {
  const { function: name, ledgerId, nextKeyDigest, newKey, possession } = message;
  if (name !== COMMIT_RELAYER_KEY && name !== ROTATE_RELAYER_KEY) return null;
  if (Object.keys(message).sort().join() !== MEMBERS[name]) return null;
  if (!isHex32(ledgerId) || !isHex32(nextKeyDigest)) return null;
  if (name === COMMIT_RELAYER_KEY) return { function: name, ledgerId, nextKeyDigest };
  if (!isHex32(newKey) || typeof possession !== 'string' || !decodeSignature(possession)) return null;
  return { function: name, ledgerId, newKey, nextKeyDigest, possession };
}

const isHex32 = (value: unknown): value is string => typeof value === 'string' && HEX32.test(value);

/* The succession ---------------------------------------------------------------------------------------------------- */

export interface RelayerKey {
  /** Hex, lower case. */
  readonly publicKey: string;
  /** The seq of the first entry that it may sign. */
  readonly fromSeq: number;
}

/** The keys of a ledger's relayer, oldest first, and what the last one is committed to. */
export interface Succession {
  readonly ledgerId: string;
  readonly keys: readonly [RelayerKey, ...RelayerKey[]];
  /** Hex; null before the first commitment. */
  readonly nextKeyDigest: string | null;
}

export const beginSuccession = (ledgerId: string, firstKey: string): Succession => ({
  ledgerId,
  keys: [{ publicKey: firstKey, fromSeq: 1 }],
  nextKeyDigest: null,
});

/** The last key. */
export const currentKey = ({ keys }: Succession): string => (keys.at(-1) ?? keys[0]).publicKey;

/**
 * Whether `later` is the same succession with perhaps more entries. A commitment is never replaced, and determines the next key; so
 * a succession that does not continue a known one is of another history.
 */
export function continues(later: Succession, known: Succession): boolean {
  const commitments = commitmentsIn(later);
  return (
    later.ledgerId === known.ledgerId &&
    commitmentsIn(known).every((digest, index) => digest === null || digest === commitments[index])
  );
}

/** What each key was committed to, oldest key first. */
const commitmentsIn = ({ keys, nextKeyDigest }: Succession): (string | null)[] => [
  ...keys.slice(1).map(({ publicKey }) => keyDigest(publicKey)),
  nextKeyDigest,
];

/** The key that must have signed the entry with this seq. */
export const keyAt = ({ keys }: Succession, seq: number): string =>
  (keys.findLast(({ fromSeq }) => fromSeq <= seq) ?? keys[0]).publicKey;

/** The keys that may sign a head over the entry `seq`: that of this entry and, after a change of the key, that of the next one. */
export const keysOfHead = (succession: Succession, seq: number): readonly string[] => [
  ...new Set([keyAt(succession, seq), keyAt(succession, seq + 1)]),
];

/**
 * - ledger: for another ledger; - order: before the current key's first entry; - signer: not signed by the current key;
 * - committed: the current key is committed already; - uncommitted: it is not; - digest: the new key is not the committed one;
 * - weak: not a canonical point of prime order; - reused: a key of this ledger; - possession: not signed by the new key
 */
export type SuccessionFlaw =
  | 'ledger'
  | 'order'
  | 'signer'
  | 'committed'
  | 'uncommitted'
  | 'digest'
  | 'weak'
  | 'reused'
  | 'possession';

const SENTENCES: Readonly<Record<SuccessionFlaw, string>> = {
  ledger: 'It names another ledger.',
  order: 'It comes before the current key of the relayer.',
  signer: 'It is not signed by the current key of the relayer.',
  committed: 'The current key of the relayer is already committed to another successor.',
  uncommitted: 'No entry has committed the current key of the relayer to a successor.',
  digest: 'The new key is not the one that the current key of the relayer is committed to.',
  weak: 'The new key is not the canonical encoding of a point of prime order.',
  reused: 'It names a key that was used in this ledger before.',
  possession: 'The new key did not sign that it takes over.',
};

/** An entry that the succession of keys does not allow. */
export class SuccessionError extends Error {
  override readonly name = 'SuccessionError';
  readonly flaw: SuccessionFlaw;

  constructor(flaw: SuccessionFlaw) {
    super(SENTENCES[flaw]);
    this.flaw = flaw;
  }
}

/** Where an entry is, and which key signed its item (hex). */
export interface KeyEntryPlace {
  readonly seq: number;
  readonly owner: string;
}

export interface KeyChecks {
  readonly verify: (publicKey: string, message: Uint8Array, signature: Uint8Array) => boolean;
  readonly isStrict: (publicKey: string) => boolean;
}

const PORTABLE: KeyChecks = { verify: verifySignature, isStrict: isStrictPublicKey };

/**
 * The succession after an entry. The caller has verified the item.
 * @param checks faster implementations with the same results
 * @throws {SuccessionError} in the order of SuccessionFlaw
 */
export function extendSuccession(
  succession: Succession,
  { seq, owner }: KeyEntryPlace,
  message: KeyMessage,
  checks = PORTABLE,
): Succession {
  const { ledgerId, keys, nextKeyDigest: committed } = succession;
  const current = currentKey(succession);
  const used = keys.map(({ publicKey }) => publicKey);
  const isUsed = (digest: string) => used.some((key) => keyDigest(key) === digest);
  ensure(message.ledgerId === ledgerId, 'ledger');
  ensure(seq >= (keys.at(-1)?.fromSeq ?? 1), 'order');
  ensure(owner === current, 'signer');
  if (message.function === COMMIT_RELAYER_KEY) {
    ensure(committed === null, 'committed');
    ensure(!isUsed(message.nextKeyDigest), 'reused');
    return { ...succession, nextKeyDigest: message.nextKeyDigest };
  }
  const { newKey, nextKeyDigest, possession } = message;
  ensure(committed !== null, 'uncommitted');
  ensure(keyDigest(newKey) === committed, 'digest');
  ensure(checks.isStrict(newKey), 'weak');
  ensure(!isUsed(nextKeyDigest) && nextKeyDigest !== committed, 'reused');
  const signature = decodeSignature(possession) ?? new Uint8Array();
  ensure(checks.verify(newKey, possessionMessage(message, current), signature), 'possession');
  return { ledgerId, keys: [...keys, { publicKey: newKey, fromSeq: seq + 1 }], nextKeyDigest };
}

function ensure(holds: boolean, flaw: SuccessionFlaw): void {
  if (!holds) throw new SuccessionError(flaw);
}
