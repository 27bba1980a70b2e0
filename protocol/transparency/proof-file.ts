import type { TransactionId } from '../ids.ts';
import { checkEntry, type Step } from '../ledger/check-proof.ts';
import { readItem } from '../ledger/data-item.ts';
import { itemId } from '../ledger/item-signature.ts';
import type { ProvenEntry } from '../ledger/proven-entry.ts';
import { bytesToHex, fromBase64, toBase64, utf8ToBytes } from '../signing/encoding.ts';
import { type CheckpointPolicy, type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import { afterPrefix, decodeDecimal, decodeHash, decodeText } from './fields.ts';
import { leafHashOf, leafIndexOf, ledgerIdOfOrigin } from './ledger-log.ts';
import type { Hash } from './merkle.ts';
import { isIncluded, MAX_PROOF_HASHES } from './merkle-proof.ts';
import { formatNote, MAX_NOTE_BYTES, type Note, parseNote } from './note.ts';
import type { VerifyBytes } from './note-signatures.ts';
import { malformed, TransparencyError } from './transparency-error.ts';

/** C2SP tlog-proof: the file has this extension and this first line. */
export const PROOF_FILE_EXTENSION = '.tlog-proof';
const FIRST_LINE = 'c2sp.org/tlog-proof@v1';

/** More than any entry of this service has; a bundle has at most 256 KiB if it contains more than one. */
export const MAX_ITEM_BYTES = 4 * 1024 * 1024;
export const MAX_PROOF_FILE_BYTES = Math.ceil(MAX_ITEM_BYTES / 3) * 4 + MAX_NOTE_BYTES + 4_096;

/** A proof that an entry is in the tree of a checkpoint. */
export interface ProofFile {
  /** The data item of the entry, as the extra data of the file. Its signature is what the leaf is made of. */
  readonly item: Uint8Array;
  /** The index of the leaf, from 0. */
  readonly index: number;
  readonly path: readonly Hash[];
  /** The signed checkpoint, with cosignatures. */
  readonly checkpoint: Note;
}

/** The text of the file, in UTF-8. @throws {TransparencyError} for a proof that decodeProofFile would not return */
export function encodeProofFile({ item, index, path, checkpoint }: ProofFile): string {
  if (item.length === 0 || item.length > MAX_ITEM_BYTES || path.length > MAX_PROOF_HASHES) {
    throw malformed(`A proof has an item of at most ${MAX_ITEM_BYTES} bytes and at most ${MAX_PROOF_HASHES} hashes.`);
  }
  decodeDecimal(String(index), 'index');
  const lines = [FIRST_LINE, `extra ${toBase64(item)}`, `index ${index}`, ...path.map(toBase64)];
  return `${lines.join('\n')}\n\n${formatNote(checkpoint)}`;
}

/** Parses a proof file; it verifies nothing. @throws {TransparencyError} for anything but a C2SP tlog-proof with an item */
export function decodeProofFile(bytes: Uint8Array): ProofFile {
  const text = decodeText(bytes, MAX_PROOF_FILE_BYTES, 'proof');
  const end = text.indexOf('\n\n');
  if (end === -1) throw malformed('A proof has an empty line before its checkpoint.');
  const [first, extra, index, ...path] = text.slice(0, end).split('\n', MAX_PROOF_HASHES + 4);
  if (first !== FIRST_LINE) throw malformed(`The first line of a proof is "${FIRST_LINE}".`);
  if (path.length > MAX_PROOF_HASHES) throw malformed(`A proof has at most ${MAX_PROOF_HASHES} hashes.`);
  const item = fromBase64(afterPrefix(extra, 'extra ', 'second line of a proof'));
  if (!item || item.length === 0 || item.length > MAX_ITEM_BYTES) {
    throw malformed(`The extra data of a proof is the base64 of an item of at most ${MAX_ITEM_BYTES} bytes.`);
  }
  return {
    item,
    index: decodeDecimal(afterPrefix(index, 'index ', 'third line of a proof'), 'index'),
    path: path.map((line) => decodeHash(line, 'hash in the proof')),
    checkpoint: parseNote(utf8ToBytes(text.slice(end + 2))),
  };
}

/* Verifying ------------------------------------------------------------------------------------------------------ */

export interface VerifiedProof extends VerifiedCheckpoint {
  readonly id: TransactionId;
  readonly index: number;
  readonly entry: ProvenEntry;
  /** What checkEntry found about the entry itself: all steps are `good` or `unchecked`. */
  readonly steps: readonly Step[];
}

/**
 * Verifies a proof file offline: the item is an entry that the relayer of this ledger signed, it is the leaf at the index of the
 * proof, and the checkpoint of that tree meets the policy.
 * @throws {TransparencyError} in this order: `malformed`; `origin`, `unsigned`, `signature`, `witnesses` (the checkpoint); `item`; `place`;
 *   `inclusion`
 */
export function verifyProofFile(bytes: Uint8Array, policy: CheckpointPolicy, verify?: VerifyBytes): VerifiedProof {
  const { item, index, path, checkpoint: note } = decodeProofFile(bytes);
  const verified = verifyCheckpoint(utf8ToBytes(formatNote(note)), policy, verify);
  const { id, entry, steps } = verifyItem(item, policy.origin);
  if (leafIndexOf(entry.seq) !== index) {
    throw new TransparencyError('place', `Entry ${entry.seq} cannot be the leaf with the index ${index}.`);
  }
  const { size, root } = verified.checkpoint;
  if (!isIncluded({ index, size, leafHash: leafHashOf(id), root, proof: path })) {
    throw new TransparencyError('inclusion', `The proof does not lead to the root of the tree of ${size} entries.`);
  }
  return { ...verified, id, index, entry, steps };
}

function verifyItem(bytes: Uint8Array, origin: string) {
  const ledgerId = ledgerIdOfOrigin(origin);
  if (!ledgerId) throw new TransparencyError('origin', `${origin} is not the log of a ledger.`);
  try {
    const { signature, owner } = readItem(bytes);
    const id = itemId(signature) as TransactionId;
    const stated = { id, item: toBase64(bytes), relayer_public_key: bytesToHex(owner), ledger_id: ledgerId };
    const steps: Step[] = [];
    const checking = checkEntry(stated);
    let next = checking.next();
    for (; !next.done; next = checking.next()) {
      if (next.value.verdict === 'bad') throw invalidItem(`the check of its ${next.value.name} failed.`);
      steps.push(next.value);
    }
    if (next.value) return { id, entry: next.value, steps };
  } catch (error) {
    if (error instanceof TransparencyError) throw error;
    // Not even an item, or JSON that has no canonical form.
  }
  throw invalidItem('it cannot be read.');
}

const invalidItem = (why: string): TransparencyError =>
  new TransparencyError('item', `The item is not a valid entry of this ledger: ${why}`);
