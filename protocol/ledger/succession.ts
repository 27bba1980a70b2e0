import { canonicalJson } from '../signing/canonical-json.ts';
import { bytesToHex } from '../signing/encoding.ts';
import { type ReadItem, readItem } from './data-item.ts';
import { anchorText, entryTags } from './entry-tags.ts';
import { isItemSignature, textDigest } from './item-signature.ts';
import { attempt, type ProvenEntry, readEntry, signedOf } from './proven-entry.ts';
import {
  beginSuccession,
  extendSuccession,
  type KeyMessage,
  keyDigest,
  readKeyMessage,
  type Succession,
  SuccessionError,
  type SuccessionFlaw,
} from './relayer-keys.ts';

/** More rotations than a ledger ever has; an item of one has less than 2 kB. */
export const MAX_KEY_ITEMS = 1_000;
const MAX_KEY_ITEM_BYTES = 8 * 1024;

/** `form`: an item is not an entry of that kind; `first-key`: of another ledger; `length`: too many items. */
type InvalidFlaw = SuccessionFlaw | 'form' | 'first-key' | 'length';

/** A list of items that does not show a succession of keys; the message is a sentence. */
export class InvalidSuccession extends Error {
  override readonly name = 'InvalidSuccession';
  readonly flaw: InvalidFlaw;

  constructor(flaw: InvalidFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}

/**
 * Verifies the succession of a ledger's relayer keys offline: the items of its commitRelayerKey and rotateRelayerKey entries, in order.
 * It proves that the first key of this ledger authorized each later one, not that there is no other history: for that, see the
 * proofs of the transparency log.
 * @param firstKey hex; needed only if there are no items, because otherwise the first item names it
 * @throws {InvalidSuccession}
 */
export function verifySuccession(ledgerId: string, items: readonly Uint8Array[], firstKey?: string): Succession {
  if (items.length > MAX_KEY_ITEMS)
    throw new InvalidSuccession('length', `A succession has at most ${MAX_KEY_ITEMS} entries.`);
  const first = items[0] ? readKeyItem(items[0], 0).owner : (firstKey ?? '');
  if (keyDigestOrNone(first) !== ledgerId) {
    throw new InvalidSuccession('first-key', 'The first key is not the one that this ledger began with.');
  }
  let succession = beginSuccession(ledgerId, first);
  let last = 0;
  // One after the other: items without end that the relayer did not sign cost no signature checks.
  for (const [index, item] of items.entries()) {
    const { owner, entry, message } = readKeyItem(item, index);
    try {
      if (entry.seq <= last) throw new SuccessionError('order');
      succession = extendSuccession(succession, { seq: entry.seq, owner }, message);
      last = entry.seq;
    } catch (error) {
      if (!(error instanceof SuccessionError)) throw error;
      throw new InvalidSuccession(
        error.flaw,
        `Entry ${entry.seq}, number ${index + 1} of the succession, is not valid: ${error.message}`,
      );
    }
  }
  return succession;
}

const keyDigestOrNone = (key: string): string | null => attempt(() => keyDigest(key));

interface KeyItem {
  readonly owner: string;
  readonly entry: ProvenEntry;
  readonly message: KeyMessage;
}

/** Checks what the item states of itself; the caller checks that its owner was the relayer. */
function readKeyItem(bytes: Uint8Array, index: number): KeyItem {
  const item = bytes.length <= MAX_KEY_ITEM_BYTES ? attempt(() => readItem(bytes)) : null;
  const entry = item && isEd25519WithAnchor(item) ? attempt(() => readEntry(item)) : null;
  const message = entry?.message ? readKeyMessage(entry.message) : null;
  if (!item || !entry || !message) {
    throw new InvalidSuccession(
      'form',
      `Number ${index + 1} of the succession is not an entry that changes the relayer’s key.`,
    );
  }
  const owner = bytesToHex(item.owner);
  if (!isItemSignature(signedOf(item), item.signature) || !isWellFormed(item, entry, message)) {
    throw new InvalidSuccession(
      'form',
      `The signature or the form of entry ${entry.seq} of the succession is not valid.`,
    );
  }
  return { owner, entry, message };
}

const isEd25519WithAnchor = ({ signatureType, target, anchor }: ReadItem): boolean =>
  signatureType === 2 && target.byteLength === 0 && anchor.byteLength === 32;

const isWellFormed = (item: ReadItem, entry: ProvenEntry, message: KeyMessage): boolean =>
  entry.text === entry.canonical &&
  entry.function === message.function &&
  entry.entity_id === message.ledgerId &&
  entry.signer === null &&
  entry.signature === null &&
  !entry.assigns &&
  canonicalJson(item.tags) === canonicalJson(entryTags(entry)) &&
  bytesToHex(item.anchor) === bytesToHex(textDigest(anchorText(entry.prev, entry.seq)));
