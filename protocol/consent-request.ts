import { sha256Bytes } from '#digests';
import { DAY_MS, MAX_CONSENT_DAYS } from './days.ts';
import { INTENT_NAMES, intentOf } from './entities/intents.ts';
import type { Scope } from './entities/token.ts';
import { isTransactionId, isUuid } from './ids.ts';
import { hasInvisible } from './invisible.ts';
import { isCategory, LEVELS } from './records/taxonomy.ts';
import { canonicalJson, isObject, type Json } from './signing/canonical-json.ts';
import { fromBase64, fromBase64Url, toBase64, toBase64Url, utf8ToBytes } from './signing/encoding.ts';
import type { JsonObject } from './signing/message.ts';
import { parseInstant } from './time.ts';

export const MAX_PURPOSE = 500;
export const MAX_REQUEST_REFERENCE = 60;
export const MAX_REQUEST_DAYS = 90;
const MAX_RECORDS = 1_000_000_000;

/** Longer than any request of valid form, in characters of the link. */
const MAX_TEXT = 8_000;

/** What a QR code of version 25 at level M holds (ISO/IEC 18004 table 7): larger ones are hard to scan from paper. */
const MAX_CARRIED_LINK = 997;

/** What an institution asks of a person. Everything in it was written by whoever made the link. Protocol §11. */
export interface ConsentRequest {
  /** The canonical JSON of what was signed, and how it travels after `#`. */
  readonly message: JsonObject;
  readonly text: string;
  /** Base64url of the SHA-256 of the canonical message, under which the service keeps a long request. */
  readonly id: string;
  /** Base64 of 64 bytes; null if nobody signed it: an assistant may have made it. */
  readonly signature: string | null;
  /** Null only if nobody signed it. */
  readonly ledgerId: string | null;
  readonly ieoId: string;
  readonly scope: Scope;
  /** Null for a consent until it is withdrawn. */
  readonly expiresInDays: number | null;
  /** Empty only if nobody signed it. */
  readonly purpose: string;
  readonly reference: string | null;
  /** ISO 8601. */
  readonly validUntil: string;
  /** True: for the first who accepts. A reference: for that person. False: for any number of people. */
  readonly once: boolean | string;
}

/** The text of a request in a link: message and signature (base64), each in base64url, with a point between them. */
export const consentRequestText = (message: JsonObject, signature: string | null): string =>
  [utf8ToBytes(canonicalJson(message)), (signature && fromBase64(signature)) || new Uint8Array()]
    .map(toBase64Url)
    .join('.');

/** The link to a request. Where the request is too long for a QR code, the service must keep it: the link then names its id. */
export function consentRequestLink(publicUrl: string, { text, id }: Pick<ConsentRequest, 'text' | 'id'>) {
  const carried = `${publicUrl}/ask#${text}`;
  return carried.length <= MAX_CARRIED_LINK
    ? { link: carried, mustBeKept: false }
    : { link: `${publicUrl}/ask#${id}`, mustBeKept: true };
}

/** Whether the text after `#` names a request that the service keeps. */
export const isConsentRequestId = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Reads the text of a request: null unless all of it has its form. Does not check the signature, the time or the institution. */
export function readConsentRequest(text: string): ConsentRequest | null {
  if (text.length > MAX_TEXT || !/^[\w-]+\.[\w-]*$/.test(text)) return null;
  const [encoded = '', signed = ''] = text.split('.');
  const bytes = fromBase64Url(encoded);
  const signature = fromBase64Url(signed);
  const message = bytes && objectIn(bytes);
  if (!message || !signature || (signature.length !== 64 && signature.length !== 0)) return null;
  const isSigned = signature.length > 0;
  const fields = fieldsOf(message, isSigned);
  if (!fields) return null;
  const id = toBase64Url(sha256Bytes(bytes));
  return { message, text, id, signature: isSigned ? toBase64(signature) : null, ...fields };
}

/** The object that is canonical JSON in these bytes. */
function objectIn(bytes: Uint8Array): JsonObject | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: Json = JSON.parse(text);
    return isObject(value) && canonicalJson(value) === text ? value : null;
  } catch {
    return null;
  }
}

const REQUIRED = ['function', 'ieoId', 'scope', 'expiresInDays', 'purpose', 'validUntil', 'once'];
const ENVELOPE = ['ledgerId', 'nonce', 'timestamp'];

function fieldsOf(
  message: JsonObject,
  isSigned: boolean,
): Omit<ConsentRequest, 'message' | 'text' | 'id' | 'signature'> | null {
  const needed = isSigned ? [...REQUIRED, ...ENVELOPE] : REQUIRED;
  if (!hasMembers(message, needed, ['reference', ...ENVELOPE]) || message.function !== 'askConsent') return null;
  const { ieoId, expiresInDays, purpose, validUntil, once, ledgerId = null, timestamp, nonce } = message;
  const scope = scopeOf(message.scope);
  const reference = message.reference ?? null;
  if (!scope || !isReference(ieoId) || !(typeof once === 'boolean' || isReference(once))) return null;
  if (!(expiresInDays === null || isCount(expiresInDays, MAX_CONSENT_DAYS))) return null;
  if (!isText(purpose, MAX_PURPOSE) || (isSigned && purpose.trim() === '')) return null;
  if (!(reference === null || (isText(reference, MAX_REQUEST_REFERENCE) && reference.trim() !== ''))) return null;
  const until = instantOf(validUntil);
  if (until === null) return null;
  if (isSigned) {
    const signedAt = instantOf(timestamp);
    if (signedAt === null || until > signedAt + MAX_REQUEST_DAYS * DAY_MS) return null;
    if (typeof nonce !== 'string' || nonce.length < 16 || nonce.length > 128) return null;
  }
  if (!(ledgerId === null || (typeof ledgerId === 'string' && /^[0-9a-fA-F]{64}$/.test(ledgerId)))) return null;
  return {
    ledgerId: ledgerId?.toLowerCase() ?? null,
    ieoId,
    scope,
    expiresInDays,
    purpose,
    reference,
    validUntil: new Date(until).toISOString(),
    once,
  };
}

function scopeOf(value: Json | undefined): Scope | null {
  if (!isObject(value) || !hasMembers(value, ['intents', 'categories'], ['levels', 'period', 'max_records']))
    return null;
  const intents = listOf(value.intents, (name) => INTENT_NAMES.find((known) => known === name) ?? null)?.map(intentOf);
  const categories = listOf(value.categories, (code) => (code === '*' || isCategory(code) ? code : null));
  const levels = listOf(value.levels ?? [], (level) => (LEVELS.includes(level) ? level : null));
  const period = periodOf(value.period ?? null);
  const most = value.max_records ?? null;
  if (!intents?.length || !categories?.length || !levels || period === undefined) return null;
  if (new Set(intents).size < intents.length || (categories.length > 1 && categories.includes('*'))) return null;
  if (!(most === null || isCount(most, MAX_RECORDS))) return null;
  return { intents, categories, levels, period, max_records: most };
}

/** Undefined unless it is a period or null. */
function periodOf(value: Json): Scope['period'] | undefined {
  if (value === null) return null;
  if (!isObject(value) || !hasMembers(value, [], ['from', 'to'])) return undefined;
  const endOf = (end: Json) => (end === null ? null : (instantOf(end) ?? Number.NaN));
  const [from, to] = [endOf(value.from ?? null), endOf(value.to ?? null)];
  if (Number.isNaN(from) || Number.isNaN(to) || (from !== null && to !== null && from > to)) return undefined;
  const utc = (end: number | null) => (end === null ? null : new Date(end).toISOString());
  return from === null && to === null ? null : { from: utc(from), to: utc(to) };
}

/** The values of a list without repetitions; null unless all are known. */
function listOf<Value extends string>(value: Json | undefined, known: (text: string) => Value | null): Value[] | null {
  if (!Array.isArray(value) || value.length > 100) return null;
  const found = value.map((item) => (typeof item === 'string' ? known(item) : null));
  const all = found.filter((item) => item !== null);
  return all.length === value.length && new Set(all).size === all.length ? all : null;
}

const hasMembers = (value: JsonObject, required: readonly string[], optional: readonly string[]): boolean =>
  required.every((name) => Object.hasOwn(value, name)) &&
  Object.keys(value).every((name) => required.includes(name) || optional.includes(name));

const isText = (value: Json | undefined, most: number): value is string =>
  typeof value === 'string' && value.length <= most && !hasInvisible(value);

const isCount = (value: Json | undefined, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;

const instantOf = (value: Json | undefined): number | null => (typeof value === 'string' ? parseInstant(value) : null);

const isReference = (value: Json | undefined): value is string =>
  typeof value === 'string' &&
  (isUuid(value) || isTransactionId(value) || (value.length <= 64 && /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value)));

/** An identity or an institution, by every form of its reference. Protocol §2. */
export interface Named {
  readonly id: string;
  readonly domain: string | null;
  readonly transactionId: string;
}

const isNamed = (reference: string, { id, domain, transactionId }: Named): boolean =>
  reference === transactionId || [id, domain].includes(reference.toLowerCase());

/** Whether an institution is the one that asks. */
export const isAskedBy = ({ ieoId }: Pick<ConsentRequest, 'ieoId'>, institution: Named): boolean =>
  isNamed(ieoId, institution);

/** Whether a person may accept. */
export const isAskedOf = ({ once }: Pick<ConsentRequest, 'once'>, person: Named): boolean =>
  typeof once === 'boolean' || isNamed(once, person);

/** Whether a consent allows nothing beyond a request: a person may narrow what is asked, but widen nothing. */
export function isWithin(
  { scope: asked, expiresInDays: askedDays }: Pick<ConsentRequest, 'scope' | 'expiresInDays'>,
  scope: Scope,
  days: number | null,
): boolean {
  const isAtMost = (given: number | null, most: number | null) => most === null || (given !== null && given <= most);
  const isAmong = (given: readonly string[], all: readonly string[]) => given.every((item) => all.includes(item));
  const from = asked.period?.from ?? null;
  const to = asked.period?.to ?? null;
  return (
    isAmong(scope.intents, asked.intents) &&
    (asked.categories.includes('*') || isAmong(scope.categories, asked.categories)) &&
    (asked.levels.length === 0 || (scope.levels.length > 0 && isAmong(scope.levels, asked.levels))) &&
    (from === null || (scope.period?.from ?? '') >= from) &&
    (to === null || (scope.period !== null && scope.period.to !== null && scope.period.to <= to)) &&
    isAtMost(scope.max_records, asked.max_records) &&
    isAtMost(days, askedDays)
  );
}
