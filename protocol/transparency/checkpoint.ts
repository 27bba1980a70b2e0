import { toBase64 } from '../signing/encoding.ts';
import { decodeDecimal, decodeHash } from './fields.ts';
import { HASH_BYTES, type Hash, isSize } from './merkle.ts';
import { type Note, parseNote } from './note.ts';
import { type VerifiedSignature, type VerifyBytes, verifyNote } from './note-signatures.ts';
import { malformed, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, NOTE_TYPE, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** What the log signs about one size of its tree (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
  /** Further lines, which have no meaning here. This project writes none. */
  readonly extensions: readonly string[];
}

/** The text of the note. @throws {TransparencyError} for lines that a checkpoint cannot have */
export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const lines = [origin, String(size), toBase64(root), ...extensions];
  if (!isSize(size) || root.length !== HASH_BYTES || lines.some((line) => line === '' || line.includes('\n'))) {
    throw malformed('A checkpoint has an origin, a size, a root of 32 bytes and no empty line.');
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Parses the text of a note. @throws {TransparencyError} for anything that C2SP tlog-checkpoint does not allow, and sizes of 2^53 and more */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  const extensions = rest.slice(0, -1);
  if (rest.at(-1) !== '' || origin === '' || extensions.includes('')) {
    throw malformed('A checkpoint has at least three lines, none of them empty.');
  }
  return {
    origin,
    size: decodeDecimal(size, 'size of the tree'),
    root: decodeHash(root, 'root of the tree'),
    extensions,
  };
}

/* Verifying ------------------------------------------------------------------------------------------------------ */

/** Which checkpoints are accepted: those that any of the log's keys signed and `quorum` of the witnesses cosigned. */
export interface CheckpointPolicy {
  readonly origin: string;
  readonly logKeys: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
  readonly quorum: number;
}

/**
 * The policy for one log from verifier keys as text. The name of the log's keys is its origin (C2SP tlog-policy).
 * @throws {TransparencyError} `policy` if it names no log or two, a key of the wrong type, one public key twice (under different names
 *   too: a cosignature does not contain the name), or a quorum that the witnesses cannot reach; `malformed` for other texts
 */
export function readPolicy(policy: {
  readonly log: readonly string[];
  readonly witnesses: readonly string[];
  readonly quorum: number;
}): CheckpointPolicy {
  const logKeys = policy.log.map(parseVerifierKey);
  const witnesses = policy.witnesses.map(parseVerifierKey);
  const [origin, ...others] = new Set(logKeys.map(({ name }) => name));
  if (origin === undefined || others.length > 0) throw wrongPolicy('It must have keys of exactly one log.');
  if (logKeys.some(({ type }) => type !== NOTE_TYPE)) throw wrongPolicy('A key of a log has signature type 1.');
  if (witnesses.some(({ type }) => type !== COSIGNATURE_TYPE))
    throw wrongPolicy('A key of a witness has signature type 4.');
  const keys = [...logKeys, ...witnesses].map(({ publicKey }) => publicKey);
  if (new Set(keys).size < keys.length) throw wrongPolicy('It must not have one public key twice.');
  if (!isSize(policy.quorum) || policy.quorum > witnesses.length) {
    throw wrongPolicy(`${policy.quorum} of ${witnesses.length} witnesses cannot be required.`);
  }
  return { origin, logKeys, witnesses, quorum: policy.quorum };
}

const wrongPolicy = (message: string): TransparencyError =>
  new TransparencyError('policy', `The policy is wrong. ${message}`);

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: Note;
}

export interface VerifiedCheckpoint extends SignedCheckpoint {
  /** By witnesses of the policy, each once. Whether a timestamp is recent is for the caller to judge. */
  readonly cosignatures: readonly VerifiedSignature[];
}

/** Parses a signed checkpoint; it verifies nothing. @throws {TransparencyError} `malformed` */
export function parseSignedCheckpoint(bytes: Uint8Array): SignedCheckpoint {
  const note = parseNote(bytes);
  return { note, checkpoint: parseCheckpoint(note.text) };
}

/**
 * Verifies the bytes of a checkpoint under a policy.
 * @throws {TransparencyError} `malformed`, `origin`, `unsigned`, `signature` or `witnesses`
 */
export function verifyCheckpoint(
  bytes: Uint8Array,
  policy: CheckpointPolicy,
  verify?: VerifyBytes,
): VerifiedCheckpoint {
  const { note, checkpoint } = parseSignedCheckpoint(bytes);
  if (checkpoint.origin !== policy.origin) {
    throw new TransparencyError('origin', `The checkpoint is of the log ${checkpoint.origin}, not ${policy.origin}.`);
  }
  if (verifyNote(note, policy.logKeys, verify).length === 0) {
    throw new TransparencyError('unsigned', `No key of the log ${policy.origin} signed the checkpoint.`);
  }
  const cosignatures = verifyNote(note, policy.witnesses, verify);
  if (cosignatures.length < policy.quorum) {
    const found = `${cosignatures.length} of ${policy.witnesses.length} witnesses`;
    throw new TransparencyError('witnesses', `${found} cosigned the checkpoint; ${policy.quorum} are required.`);
  }
  return { checkpoint, note, cosignatures };
}
