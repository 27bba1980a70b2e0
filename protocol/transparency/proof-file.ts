import type { LedgerId, TransactionId } from '../ids.ts';
import { checkEntry, type StatedEntry, type Step } from '../ledger/check-proof.ts';
import { readItem } from '../ledger/data-item.ts';
import { decodeItemBundle, encodeItemBundle, isItemBundle } from '../ledger/item-bundle.ts';
import { itemId } from '../ledger/item-signature.ts';
import { Ans104Error } from '../ledger/item-tags.ts';
import type { ProvenEntry } from '../ledger/proven-entry.ts';
import { MAX_KEY_ITEMS } from '../ledger/succession.ts';
import { bytesToHex, fromBase64, toBase64, utf8ToBytes } from '../signing/encoding.ts';
import { type CheckpointPolicy, type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import { afterPrefix, decodeDecimal, decodeHash, decodeText } from './fields.ts';
import { leafHashOf, leafIndexOf, ledgerIdOfOrigin } from './ledger-log.ts';
import type { Hash } from './merkle.ts';
import { isIncluded, MAX_PROOF_HASHES } from './merkle-proof.ts';
import { formatNote, MAX_NOTE_BYTES, type Note, parseNote } from './note.ts';
import type { VerifyBytes } from './note-signatures.ts';
import { malformed, TransparencyError } from './transparency-error.ts';

/** C2SP tlog-proof. */
const FIRST_LINE = 'c2sp.org/tlog-proof@v1';

/** More than any entry of this service has; a bundle has at most 256 KiB if it contains more than one. */
export const MAX_ITEM_BYTES = 4 * 1024 * 1024;
/** A change of the relayer's key takes about 1 kB. */
const MAX_SUCCESSION_BYTES = 2 * 1024 * 1024;
const MAX_EXTRA_BYTES = MAX_ITEM_BYTES + MAX_SUCCESSION_BYTES;
export const MAX_PROOF_FILE_BYTES = Math.ceil(MAX_EXTRA_BYTES / 3) * 4 + MAX_NOTE_BYTES + 4_096;

/** A proof that an entry is in the tree of a checkpoint. */
export interface ProofFile {
  /** The data item of the entry, as the extra data of the file. Its signature is what the leaf is made of. */
  readonly item: Uint8Array;
  /**
   * The items of the entries that changed the relayer's key up to the one that introduced the key of this entry, in order. Empty if it
   * was signed with the first key.
   */
  readonly succession: readonly Uint8Array[];
  /** The index of the leaf, from 0. */
  readonly index: number;
  readonly path: readonly Hash[];
  /** The signed checkpoint, with cosignatures. */
  readonly checkpoint: Note;
}

/** The text of the file, in UTF-8. @throws {TransparencyError} for a proof that decodeProofFile would not return */
export function encodeProofFile({ item, succession, index, path, checkpoint }: ProofFile): string {
  if (item.length === 0 || item.length > MAX_ITEM_BYTES || path.length > MAX_PROOF_HASHES) {
    throw malformed(`A proof has an item of at most ${MAX_ITEM_BYTES} bytes and at most ${MAX_PROOF_HASHES} hashes.`);
  }
  decodeDecimal(String(index), 'index');
  const extra = succession.length === 0 ? item : encodeItemBundle([...succession, item]);
  const lines = [FIRST_LINE, `extra ${toBase64(extra)}`, `index ${index}`, ...path.map(toBase64)];
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
  return {
    ...decodeExtra(afterPrefix(extra, 'extra ', 'second line of a proof')),
    index: decodeDecimal(afterPrefix(index, 'index ', 'third line of a proof'), 'index'),
    path: path.map((line) => decodeHash(line, 'hash in the proof')),
    checkpoint: parseNote(utf8ToBytes(text.slice(end + 2))),
  };
}

/** The extra data: an item, or a bundle whose last item is the proven one. */
function decodeExtra(encoded: string): Pick<ProofFile, 'item' | 'succession'> {
  const extra = fromBase64(encoded);
  const items = extra && extra.length <= MAX_EXTRA_BYTES ? itemsIn(extra) : [];
  const item = items.at(-1);
  if (!item || item.length === 0 || item.length > MAX_ITEM_BYTES) {
    throw malformed(`The extra data of a proof is the base64 of an item of at most ${MAX_ITEM_BYTES} bytes.`);
  }
  return { item, succession: items.slice(0, -1) };
}

function itemsIn(extra: Uint8Array): Uint8Array[] {
  if (!isItemBundle(extra)) return [extra];
  try {
    const items = decodeItemBundle(extra, MAX_KEY_ITEMS + 1);
    if (items.length > 1) return items;
  } catch (error) {
    if (!(error instanceof Ans104Error)) throw error;
  }
  throw malformed(
    'The extra data of a proof is a bundle only if it has the changes of the relayer’s key, and then the item.',
  );
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
  const { index, path, checkpoint: note, ...extra } = decodeProofFile(bytes);
  const verified = verifyCheckpoint(utf8ToBytes(formatNote(note)), policy, verify);
  const { id, entry, steps } = verifyItem(extra, policy.origin);
  if (leafIndexOf(entry.seq) !== index) {
    throw new TransparencyError('place', `Entry ${entry.seq} cannot be the leaf with the index ${index}.`);
  }
  const { size, root } = verified.checkpoint;
  if (!isIncluded({ index, size, leafHash: leafHashOf(id), root, proof: path })) {
    throw new TransparencyError('inclusion', `The proof does not lead to the root of the tree of ${size} entries.`);
  }
  return { ...verified, id, index, entry, steps };
}

function verifyItem({ item: bytes, succession }: Pick<ProofFile, 'item' | 'succession'>, origin: string) {
  const ledgerId = ledgerIdOfOrigin(origin);
  if (!ledgerId) throw new TransparencyError('origin', `${origin} is not the log of a ledger.`);
  try {
    const stated = statedIn({ item: bytes, succession }, ledgerId);
    const { id } = stated;
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

/** What the extra data of a proof states for checkEntry. @throws {Ans104Error} for bytes that are not an item */
export function statedIn(
  { item, succession }: Pick<ProofFile, 'item' | 'succession'>,
  ledgerId: LedgerId,
): StatedEntry & { readonly id: TransactionId } {
  const { signature, owner } = readItem(item);
  return {
    id: itemId(signature) as TransactionId,
    item: toBase64(item),
    relayer_public_key: bytesToHex(owner),
    relayer_keys: succession.map(toBase64),
    ledger_id: ledgerId,
  };
}

const invalidItem = (why: string): TransparencyError =>
  new TransparencyError('item', `The item is not a valid entry of this ledger: ${why}`);
