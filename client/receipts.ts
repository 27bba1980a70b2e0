import { checkEntry, type StatedEntry } from '../protocol/ledger/check-proof.ts';
import { readItem } from '../protocol/ledger/data-item.ts';
import { hexDigest, itemId } from '../protocol/ledger/item-signature.ts';
import type { ProvenEntry } from '../protocol/ledger/proven-entry.ts';
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
  /** Lower-case hex. */
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
 * @throws {IntegrityError} RECEIPT_INVALID, with the failed step and the item in `details`
 */
export function readReceipt(item: string, ledgerId: string, id: string | null = null): Entry {
  const stated = statedBy(item, ledgerId, id);
  const steps = checkEntry(stated);
  let step = steps.next();
  while (!step.done) {
    const { name, verdict, facts } = step.value;
    if (verdict === 'bad') throw receiptInvalid(`the step "${name}" fails`, { step: name, facts, item });
    step = steps.next();
  }
  if (!step.value) throw receiptInvalid('it is not a data item with an entry', { item });
  return entryOf(step.value, stated);
}

function statedBy(item: string, ledgerId: string, id: string | null): StatedEntry {
  const bytes = fromBase64(item);
  try {
    const { owner, signature } = readItem(bytes ?? new Uint8Array());
    return { item, ledger_id: ledgerId, relayer_public_key: bytesToHex(owner), id: id ?? itemId(signature) };
  } catch {
    throw receiptInvalid('it is not a data item', { item });
  }
}

const entryOf = (entry: ProvenEntry, { id, item, ledger_id, relayer_public_key }: StatedEntry): Entry => ({
  id,
  item,
  ledgerId: ledger_id,
  relayerPublicKey: relayer_public_key,
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
  // A lower number in a later epoch is what a restore leaves: trust.ts reports it.
  const follows = entry.epoch > before.epoch || (entry.epoch === before.epoch && entry.seq > before.seq);
  const links = entry.seq !== before.seq + 1 || entry.prev === before.id;
  if (!follows || !links) throw receiptInvalid('it does not follow the verified head', { item, before });
}

export const receiptInvalid = (problem: string, details: Readonly<Record<string, unknown>>): IntegrityError =>
  new IntegrityError('RECEIPT_INVALID', `The receipt is not valid: ${problem}.`, details);

/** The id of the ledger of a relayer's key: its hex SHA-256. */
export const ledgerIdOfKey = (relayerPublicKey: string): string => hexDigest(hexToBytes(relayerPublicKey));
