import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { bytesToHex } from '../signing/encoding.ts';
import type { ReadItem } from './data-item.ts';
import { blobDigestOf, type Signed } from './item-signature.ts';

/** The members of an entry that checks use. entry.ts has the full schema. */
export interface ProvenEntry {
  readonly text: string;
  readonly canonical: string;
  readonly epoch: number;
  readonly seq: number;
  readonly prev: string | null;
  readonly function: string;
  readonly entity_id: string;
  readonly accepted_at: string;
  readonly signer: string | null;
  readonly signature: string | null;
  readonly message: Readonly<Record<string, Json>> | null;
  readonly sealed: string | null;
  /** The public part of a sealed entry. */
  readonly shown: Readonly<Record<string, Json>> | null;
  /** Whether it has values that the service chose. */
  readonly assigns: boolean;
}

const MEMBERS = new Set(
  'v epoch seq prev accepted_at function entity_id signer signature message sealed public assigned'.split(' '),
);

/** The entry in a data item; null if its data is not one. */
export function readEntry({ data }: ReadItem): ProvenEntry | null {
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data));
  const value = text === null ? null : attempt(() => JSON.parse(text) as Json);
  if (text === null || !isObject(value)) return null;
  const { v, epoch, seq, prev, signer, signature, message, sealed, public: shown } = value;
  const { function: name, entity_id, accepted_at } = value;
  const isOpen = isObject(message) && sealed === undefined && shown === undefined;
  const isSealed = isText(sealed) && /^[0-9a-f]{64}$/.test(sealed) && isObject(shown) && message === undefined;
  if (v !== 1 || !isCount(epoch) || !isCount(seq) || !isText(name) || !isText(entity_id) || !isText(accepted_at))
    return null;
  if (Object.keys(value).some((member) => !MEMBERS.has(member))) return null;
  if (!isTextOrNull(prev) || !isTextOrNull(signer) || !isTextOrNull(signature) || isOpen === isSealed) return null;
  return {
    text,
    canonical: attempt(() => canonicalJson(value)) ?? '',
    epoch,
    seq,
    prev,
    function: name,
    entity_id,
    accepted_at,
    signer,
    signature,
    message: isOpen ? message : null,
    sealed: isSealed ? sealed : null,
    shown: isSealed ? shown : null,
    assigns: value.assigned !== undefined,
  };
}

/** What the owner of an item signed. */
export const signedOf = (item: ReadItem): Signed => ({
  owner: bytesToHex(item.owner),
  anchor: item.anchor,
  tagsDigest: blobDigestOf(item.tagBytes),
  dataDigest: blobDigestOf(item.data),
});

/** The result, or null if it throws. */
export function attempt<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch {
    return null;
  }
}

const isObject = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
const isTextOrNull = (value: Json | undefined): value is string | null => value === null || typeof value === 'string';
const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0;
