import { checkEntry, type StatedEntry } from '../protocol/ledger/check-proof.ts';
import { readItem } from '../protocol/ledger/data-item.ts';
import { hexDigest, itemId } from '../protocol/ledger/item-signature.ts';
import type { ProvenEntry } from '../protocol/ledger/proven-entry.ts';
import { currentKey, type Succession } from '../protocol/ledger/relayer-keys.ts';
import { InvalidSuccession, verifySuccession } from '../protocol/ledger/succession.ts';
import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { bytesToHex, fromBase64, hexToBytes } from '../protocol/signing/encoding.ts';
import { sealedDigest } from '../protocol/signing/sealing.ts';
import { IntegrityError } from './errors.ts';
import type { SignedRequest } from './sign.ts';

/** An entry of the ledger whose signatures were verified. */
export interface Entry {
  /** The transaction id. */
  readonly id: string;
  /** The signed data item, base64: the receipt. */
  readonly item: string;
  readonly ledgerId: string;
  /** The key that signed the item, in lower-case hex. */
  readonly relayerPublicKey: string;
  readonly epoch: number;
  readonly seq: number;
  /** The id of the entry before; null for the first. */
  readonly prev: string | null;
  readonly function: string;
  readonly entityId: string;
  readonly acceptedAt: string;
  /** The key that signed; null for operations of the institute and of the relayer. */
  readonly signer: string | null;
  /** Null where the entry is sealed; then `sealed` is the digest of a salt, the signature and the message. */
  readonly message: Readonly<Record<string, Json>> | null;
  readonly signature: string | null;
  readonly sealed: string | null;
  /** The public part of a sealed entry. */
  readonly public: Readonly<Record<string, Json>> | null;
}

export type Place = Pick<Entry, 'epoch' | 'seq' | 'id'>;

/**
 * Verifies a receipt, or another data item of the ledger, offline: that it is an entry of this ledger, signed by its relayer at this
 * place, and the signature of the person where it is public.
 * @param item base64
 * @param id the id that it must have, if known
 * @param relayerKeys `relayer_keys` of GET /api/ledger, if the relayer's key was ever changed
 * @throws {IntegrityError} RECEIPT_INVALID, with the failed step and the item in `details`
 */
export function readReceipt(
  item: string,
  ledgerId: string,
  id: string | null = null,
  relayerKeys: readonly string[] = [],
): Entry {
  return verifyReceipt(item, ledgerId, id, relayerKeys.length === 0 ? null : keysOf(ledgerId, relayerKeys));
}

/**
 * The same for a verified succession of keys.
 * @param keys null if the relayer's key was never changed
 * @throws {IntegrityError} RECEIPT_INVALID
 */
export function verifyReceipt(item: string, ledgerId: string, id: string | null, keys: Succession | null): Entry {
  const stated = statedBy(item, ledgerId, id, keys);
  const steps = keys ? checkEntry(stated, keys) : checkEntry(stated);
  let step = steps.next();
  while (!step.done) {
    const { name, verdict, facts } = step.value;
    if (verdict === 'bad') throw receiptInvalid(`the step "${name}" fails`, { step: name, facts, item });
    step = steps.next();
  }
  if (!step.value) throw receiptInvalid('it is not a data item with an entry', { item });
  return entryOf(step.value, stated);
}

type Receipt = StatedEntry & { readonly owner: string };

function statedBy(item: string, ledgerId: string, id: string | null, keys: Succession | null): Receipt {
  const read = fieldsOf(item);
  if (!read) throw receiptInvalid('it is not a data item', { item });
  const { owner } = read;
  return { item, ledger_id: ledgerId, id: id ?? read.id, owner, relayer_public_key: keys ? currentKey(keys) : owner };
}

/** The id of an item and the key that signed it; null if it is not an item. */
function fieldsOf(item: string): { readonly id: string; readonly owner: string } | null {
  try {
    const { owner, signature } = readItem(fromBase64(item) ?? new Uint8Array());
    return { id: itemId(signature), owner: bytesToHex(owner) };
  } catch {
    return null;
  }
}

/** @throws {IntegrityError} RECEIPT_INVALID */
function keysOf(ledgerId: string, relayerKeys: readonly string[]): Succession {
  try {
    return successionOf(ledgerId, relayerKeys);
  } catch (error) {
    if (!(error instanceof InvalidSuccession)) throw error;
    throw receiptInvalid(`the keys of the relayer are not those of this ledger (${error.message})`, { relayerKeys });
  }
}

/**
 * The keys that signed a ledger.
 * @param relayerKeys the items that changed them, base64
 * @param firstKey hex; needed only if there are no items
 * @throws {InvalidSuccession}
 */
export const successionOf = (ledgerId: string, relayerKeys: readonly string[], firstKey?: string): Succession =>
  verifySuccession(
    ledgerId,
    relayerKeys.map((item) => fromBase64(item) ?? new Uint8Array()),
    firstKey,
  );

/** Whether a key signed an item that is not one of these, so that the relayer may have changed its key since. */
export function isByUnknownKey(item: string, ledgerId: string, keys: Succession | null): boolean {
  const owner = fieldsOf(item)?.owner;
  if (owner === undefined) return false;
  return keys ? keys.keys.every(({ publicKey }) => publicKey !== owner) : ledgerIdOfKey(owner) !== ledgerId;
}

const entryOf = (entry: ProvenEntry, { id, item, ledger_id, owner }: Receipt): Entry => ({
  id,
  item,
  ledgerId: ledger_id,
  relayerPublicKey: owner,
  epoch: entry.epoch,
  seq: entry.seq,
  prev: entry.prev,
  function: entry.function,
  entityId: entry.entity_id,
  acceptedAt: entry.accepted_at,
  signer: entry.signer,
  message: entry.message,
  signature: entry.signature,
  sealed: entry.sealed,
  public: entry.shown,
});

/** Whether an entry contains a signed request. A sealed entry needs the salt; without it, its public part must agree. */
export function containsRequest(entry: Entry, request: SignedRequest, salt: string | null): boolean {
  if (entry.signer !== request.publicKey) return false;
  if (entry.message) return canonicalJson(entry.message) === request.message && entry.signature === request.signature;
  if (salt === null) return entry.public?.timestamp === request.timestamp;
  const signature = fromBase64(request.signature) ?? new Uint8Array();
  return /^[0-9a-f]{64}$/.test(salt) && sealedDigest(hexToBytes(salt), signature, request.message) === entry.sealed;
}

/**
 * Verifies that an entry contains what was signed and follows the head that was known when it was sent.
 * @throws {IntegrityError} RECEIPT_INVALID
 */
export function requireRequest(entry: Entry, functionName: string, contained: boolean, before: Place | null): void {
  const { item } = entry;
  if (entry.function !== functionName || !contained) {
    throw receiptInvalid('it contains another operation', { item });
  }
  if (!before) return;
  // trust.ts reports what a restore leaves: a lower number in a later epoch, or another entry before it.
  const follows = entry.epoch > before.epoch || (entry.epoch === before.epoch && entry.seq > before.seq);
  if (!follows) throw receiptInvalid('it does not follow the verified head', { item, before });
}

export const receiptInvalid = (problem: string, details: Readonly<Record<string, unknown>>): IntegrityError =>
  new IntegrityError('RECEIPT_INVALID', `The receipt is not valid: ${problem}.`, details);

/** The id of the ledger of a relayer's key: its hex SHA-256. */
export const ledgerIdOfKey = (relayerPublicKey: string): string => hexDigest(hexToBytes(relayerPublicKey));
