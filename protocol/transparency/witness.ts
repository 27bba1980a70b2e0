import { toBase64, utf8ToBytes } from '../signing/encoding.ts';
import { parseSignedCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { afterPrefix, decodeDecimal, decodeHash, decodeText } from './fields.ts';
import { EMPTY_ROOT, type Hash } from './merkle.ts';
import { isConsistent, MAX_PROOF_HASHES } from './merkle-proof.ts';
import { formatNote, MAX_NOTE_BYTES, type Note, type NoteSignature, parseSignatures } from './note.ts';
import { type VerifyBytes, verifyNote } from './note-signatures.ts';
import { malformed, TransparencyError } from './transparency-error.ts';
import type { VerifierKey } from './verifier-key.ts';

/* The request ---------------------------------------------------------------------------------------------------- */

/** The body of add-checkpoint (C2SP tlog-witness): a checkpoint that extends the one the witness cosigned last. */
export interface AddCheckpoint {
  /** The size that the witness cosigned last; 0 if there is none. */
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  readonly note: Note;
}

export const MAX_ADD_CHECKPOINT_BYTES = MAX_NOTE_BYTES + 4_096;

/** @throws {TransparencyError} for a body that decodeAddCheckpoint would not return */
export function encodeAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  decodeDecimal(String(oldSize), 'old size');
  if (proof.length > MAX_PROOF_HASHES) throw malformed(`A proof has at most ${MAX_PROOF_HASHES} hashes.`);
  return `${[`old ${oldSize}`, ...proof.map(toBase64)].join('\n')}\n\n${formatNote(note)}`;
}

/** Parses the body of add-checkpoint; it verifies nothing. @throws {TransparencyError} for anything that C2SP tlog-witness does not allow */
export function decodeAddCheckpoint(bytes: Uint8Array): AddCheckpoint & SignedCheckpoint {
  const text = decodeText(bytes, MAX_ADD_CHECKPOINT_BYTES, 'request');
  const end = text.indexOf('\n\n');
  if (end === -1) throw malformed('A request has an empty line before the checkpoint.');
  const [old, ...proof] = text.slice(0, end).split('\n', MAX_PROOF_HASHES + 2);
  if (proof.length > MAX_PROOF_HASHES) throw malformed(`A proof has at most ${MAX_PROOF_HASHES} hashes.`);
  return {
    oldSize: decodeDecimal(afterPrefix(old, 'old ', 'first line of a request'), 'old size'),
    proof: proof.map((line) => decodeHash(line, 'hash in the proof')),
    ...parseSignedCheckpoint(utf8ToBytes(text.slice(end + 2))),
  };
}

/* The witness ---------------------------------------------------------------------------------------------------- */

/** What a witness stores of the last checkpoint that it cosigned for a log. */
export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** How a witness answers; the status is that of HTTP. */
export type WitnessDecision =
  /** Store the head, then cosign the text of the note. */
  | { readonly status: 200; readonly head: TreeHead }
  /** The body of the response is formatTreeSize(size). */
  | { readonly status: 409; readonly size: number }
  | { readonly status: 400 | 403 | 404 | 422; readonly message: string };

/** Content-Type of a response with status 409. */
export const TREE_SIZE_TYPE = 'text/x.tlog.size';
export const formatTreeSize = (size: number): string => `${size}\n`;

/**
 * Decides about a request in the order of C2SP tlog-witness. The caller must hold a lock on the log from reading `last` until the
 * new head is stored.
 * @param log.keys the keys of the log with the origin of the checkpoint; null for an unknown log
 * @param log.last what was cosigned last, or null
 */
export function decideAddCheckpoint(
  { oldSize, proof, note, checkpoint: { origin, size, root } }: AddCheckpoint & SignedCheckpoint,
  log: { readonly keys: readonly VerifierKey[] | null; readonly last: TreeHead | null },
  verify?: VerifyBytes,
): WitnessDecision {
  if (!log.keys) return { status: 404, message: `The log ${origin} is not known to this witness.` };
  const problem = signatureProblem(note, log.keys, verify);
  if (problem) return { status: 403, message: problem };
  if (oldSize > size) return { status: 400, message: 'The old size is larger than that of the checkpoint.' };
  const last = log.last ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== last.size) return { status: 409, size: last.size };
  if (!isConsistent({ oldSize, oldRoot: last.root, size, root, proof })) {
    return {
      status: 422,
      message: `The proof does not show that the checkpoint extends the tree of ${oldSize} leaves.`,
    };
  }
  return { status: 200, head: { size, root } };
}

function signatureProblem(note: Note, keys: readonly VerifierKey[], verify?: VerifyBytes): string | null {
  try {
    return verifyNote(note, keys, verify).length > 0 ? null : 'No known key of the log signed the checkpoint.';
  } catch (error) {
    if (error instanceof TransparencyError) return error.message;
    throw error;
  }
}

/* The response --------------------------------------------------------------------------------------------------- */

export type WitnessResponse =
  /** Signature lines by the witness's keys that were verified for this checkpoint. */
  | { readonly kind: 'cosigned'; readonly signatures: readonly NoteSignature[] }
  /** The witness cosigned this size last: send a proof from it. If it is larger than the log's own, the log has forked or the witness reports a false size. */
  | { readonly kind: 'conflict'; readonly size: number }
  /** 403, 404 and 422 do not pass by themselves; others may. */
  | { readonly kind: 'refused'; readonly status: number };

const MAX_TREE_SIZE_BYTES = 17;

/**
 * What a response to add-checkpoint means for the checkpoint with the text `text`. Cosignatures of other keys are ignored.
 * @throws {TransparencyError} `malformed` for a body that C2SP tlog-witness does not allow; `unsigned` or `signature` if it contains no
 *   valid cosignature of `witness`
 */
export function readWitnessResponse(
  response: { readonly status: number; readonly body: Uint8Array },
  text: string,
  witness: VerifierKey,
  verify?: VerifyBytes,
): WitnessResponse {
  if (response.status === 409) {
    const line = decodeText(response.body, MAX_TREE_SIZE_BYTES, 'size of the tree');
    if (!line.endsWith('\n')) throw malformed('The size of the tree ends in a newline.');
    return { kind: 'conflict', size: decodeDecimal(line.slice(0, -1), 'size of the tree') };
  }
  if (response.status !== 200) return { kind: 'refused', status: response.status };
  const signatures = parseSignatures(response.body).filter(
    ({ name, keyId }) => name === witness.name && keyId === witness.keyId,
  );
  if (verifyNote({ text, signatures }, [witness], verify).length === 0) {
    throw new TransparencyError('unsigned', `The response has no cosignature of ${witness.name}.`);
  }
  return { kind: 'cosigned', signatures: signatures.slice(-1) };
}
