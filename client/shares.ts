import {
  MAX_SHARE_CHARACTERS,
  passcodeDigest,
  SHARE_CONTENT_TYPES,
  SHARE_SECONDS,
  type ShareContentType,
} from '../protocol/share-files.ts';
import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { bytesToHex, concatBytes, fromBase64Url, toBase64Url, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { isRecord } from './arguments.ts';
import { type Details, PerpetuaError } from './errors.ts';
import { type Exchanged, exchange, isTemporary, parsed } from './http.ts';
import type { CreatedShare } from './types.ts';

/** SMART Health Links of HL7: shares made here, and links of anybody opened. docs/sharing.md */

export interface SharedFile {
  readonly contentType: ShareContentType;
  /** JSON text. */
  readonly content: string;
}

/** What is needed to open a share, as it is in a link. */
export interface ShareLink {
  /** Of the manifest; with the flag `U` of the only file. */
  readonly url: string;
  /** 32 bytes in base64url. */
  readonly key: string;
  /** Seconds since 1970; null if the link does not say. */
  readonly exp: number | null;
  /** `L`: the content can change. `P`: it needs a passcode. `U`: the file is read directly. */
  readonly flag: string;
  readonly label: string | null;
}

export interface OpenOptions {
  /** Who opens it, in words that the person who shared sees. */
  readonly recipient: string;
  readonly passcode?: string;
  /** Longer files are fetched by themselves; by default the server decides. */
  readonly embeddedLengthMax?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  /** How long all requests together may take, in ms; by default 60 s. */
  readonly timeout?: number;
}

/** The largest address of a manifest that the specification allows. */
const MAX_URL = 128;
const MAX_LABEL = 80;
const PREFIX = 'shlink:/';
/** Encrypted, and decompressed: a small file can become a large one. */
const MAX_FILE_BYTES = 2 ** 25;
const MAX_CONTENT_BYTES = 2 ** 26;
/** Others may list more files than can be shared here. */
const MAX_FILES = 50;
const TIMEOUT_MS = 60_000;

const invalidLink = (sentence: string, details?: Details): PerpetuaError =>
  new PerpetuaError('LINK_INVALID', sentence, { details });
const unexpected = (sentence: string, status: number | null = null): PerpetuaError =>
  new PerpetuaError('UNEXPECTED_RESPONSE', sentence, { status });

/** Encrypts files for one share with a new key. @returns the key in base64url, and a compact JWE for each file */
export async function encryptFiles(
  files: readonly SharedFile[],
): Promise<{ readonly key: string; readonly files: readonly string[] }> {
  const isFile = (file: unknown): boolean => isRecord(file) && typeof file.content === 'string';
  if (!Array.isArray(files) || files.length === 0 || !files.every(isFile)) {
    throw new PerpetuaError('ARGUMENT_INVALID', 'files must be a list of { contentType, content }.');
  }
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt']);
  const encrypted = files.map(async ({ contentType, content }) => {
    if (!SHARE_CONTENT_TYPES.includes(contentType)) {
      throw new PerpetuaError('ARGUMENT_INVALID', `contentType must be one of ${SHARE_CONTENT_TYPES.join(', ')}.`);
    }
    const header = toBase64Url(
      utf8ToBytes(JSON.stringify({ alg: 'dir', enc: 'A256GCM', cty: contentType, zip: 'DEF' })),
    );
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const plain = await throughStream(content, new CompressionStream('deflate-raw'), MAX_FILE_BYTES);
    const algorithm = { name: 'AES-GCM', iv, additionalData: utf8ToBytes(header) as Uint8Array<ArrayBuffer> };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plain));
    return [header, '', iv, sealed.subarray(0, -16), sealed.subarray(-16)]
      .map((part) => (typeof part === 'string' ? part : toBase64Url(part)))
      .join('.');
  });
  return { key: toBase64Url(bytes), files: await Promise.all(encrypted) };
}

/** Decrypts a compact JWE. @throws {PerpetuaError} SHARE_INVALID if it was altered, or is not under this key */
export async function decryptFile(jwe: string, key: string): Promise<SharedFile> {
  const parts = jwe.trim().split('.');
  const [header, encryptedKey, iv, ciphertext, tag] = parts.map(fromBase64Url);
  const facts = header ? parsed(new TextDecoder().decode(header)) : null;
  const isCompact = parts.length === 5 && encryptedKey?.length === 0 && iv?.length === 12 && tag?.length === 16;
  if (!isCompact || !ciphertext || !isRecord(facts) || facts.alg !== 'dir' || facts.enc !== 'A256GCM') {
    throw altered('A file of this share is not encrypted as a SMART Health Link must be.');
  }
  const { cty, zip } = facts;
  if (zip !== undefined && zip !== 'DEF') throw altered('A file of this share is compressed in an unknown way.');
  const raw = fromBase64Url(key);
  if (raw?.length !== 32) throw invalidLink('The key of this link is not 32 bytes in base64url.');
  const usable = await crypto.subtle.importKey('raw', new Uint8Array(raw), 'AES-GCM', false, ['decrypt']);
  const algorithm = {
    name: 'AES-GCM',
    iv: new Uint8Array(iv),
    additionalData: new Uint8Array(utf8ToBytes(parts[0] ?? '')),
  };
  const plain = await crypto.subtle.decrypt(algorithm, usable, concatBytes(ciphertext, tag)).catch(() => {
    throw altered('A file of this share was altered, or is encrypted with another key.');
  });
  const bytes = new Uint8Array(plain);
  const content = zip === 'DEF' ? await inflated(bytes, MAX_CONTENT_BYTES) : bytes;
  // The type is in the header that the tag covers; without one the specification's reader assumes FHIR.
  const contentType = SHARE_CONTENT_TYPES.find((type) => type === cty) ?? 'application/fhir+json';
  return { contentType, content: new TextDecoder().decode(content) };
}

const altered = (sentence: string, details?: Details): PerpetuaError =>
  new PerpetuaError('SHARE_INVALID', sentence, { details });

/** Decompresses raw DEFLATE. @throws {PerpetuaError} SHARE_INVALID, with `details.tooLarge` if the result is larger than `maxBytes` */
export const inflated = (bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> =>
  throughStream(bytes, new DecompressionStream('deflate-raw'), maxBytes);

/** @throws {PerpetuaError} SHARE_INVALID if the result is larger than `maxBytes`, or the stream is broken */
async function throughStream(
  content: Uint8Array<ArrayBuffer> | string,
  stream: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([content]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  for (let left = maxBytes; ; ) {
    const { done, value } = await reader.read().catch(() => {
      throw altered('A file of this share cannot be decompressed.');
    });
    if (done) return concatBytes(...chunks);
    left -= value.length;
    if (left < 0) {
      await reader.cancel();
      throw altered('A file of this share is too large.', { tooLarge: true });
    }
    chunks.push(value);
  }
}

export interface NewShare {
  readonly beoId: string;
  /** A note that only the holder reads: 1 to 80 characters. */
  readonly label: string;
  readonly files: readonly SharedFile[];
  /** 15 minutes to 30 days, in seconds; by default a day. */
  readonly expiresIn?: number;
  /** How often it can be opened: 1 to 100, by default 10. */
  readonly openings?: number;
  readonly passcode?: string | null;
  /** The link is read without a manifest: for one file without a passcode. */
  readonly direct?: boolean;
  /** What the recipient reads beside the link: at most 80 characters. */
  readonly linkLabel?: string | null;
  /** The address of a viewer, which ends with `#`; by default none. */
  readonly viewer?: string;
}

/** The time by which a signature may be later than the share was made. */
const SIGNING_SECONDS = 5;

/** Sends the signed fields of createShare and those that are not signed. */
type SendShare = (
  fields: Readonly<Record<string, unknown>>,
  hints: { files: readonly string[] },
) => Promise<CreatedShare>;

interface PreparedShare {
  readonly key: string;
  readonly files: readonly string[];
  readonly fields: { readonly exp: number } & Readonly<Record<string, unknown>>;
}

/** What requests without a response have sent. */
const preparedShares = new WeakMap<NewShare, PreparedShare>();

/**
 * Encrypts and sends a share. Called again with the same `request` object after a lost response, it sends the same, and the service
 * repeats its answer: there is no second share.
 * @param now ms since 1970
 * @throws {PerpetuaError} BODY_TOO_LARGE
 */
export async function makeShare(
  request: NewShare,
  now: () => number,
  send: SendShare,
): Promise<CreatedShare & { readonly link: string }> {
  const { passcode, direct = false, linkLabel = null, viewer = '' } = request;
  if (passcode !== undefined && passcode !== null && typeof passcode !== 'string') {
    throw new PerpetuaError('ARGUMENT_INVALID', 'passcode must be a text.');
  }
  const earlier = preparedShares.get(request);
  const isStillLong = earlier && earlier.fields.exp - now() / 1_000 > SHARE_SECONDS.min;
  const { key, files, fields } = isStillLong ? earlier : await prepareShare(request, now());
  preparedShares.set(request, { key, files, fields });
  const created = await send(fields, { files }).catch((error) => {
    if (!isTemporary(error)) preparedShares.delete(request);
    throw error;
  });
  preparedShares.delete(request);
  const flag = `${passcode ? 'P' : ''}${direct && !passcode ? 'U' : ''}`;
  return { ...created, link: shareLink({ url: created.url, key, exp: fields.exp, flag, label: linkLabel }, viewer) };
}

async function prepareShare(
  { beoId, label, openings = 10, expiresIn = 86_400, passcode, files: given }: NewShare,
  now: number,
): Promise<PreparedShare> {
  const { files, key } = await encryptFiles(given);
  if (files.reduce((sum, { length }) => sum + length, 0) > MAX_SHARE_CHARACTERS) {
    throw new PerpetuaError(
      'BODY_TOO_LARGE',
      `Encrypted, the files may have ${MAX_SHARE_CHARACTERS} characters together.`,
    );
  }
  const fileDigests = await Promise.all(files.map(digestOf));
  const exp = Math.floor(now / 1_000 + Math.max(expiresIn, SHARE_SECONDS.min + SIGNING_SECONDS));
  const digest = passcode ? passcodeDigest(passcode, fileDigests[0] ?? '') : null;
  return { key, files, fields: { beoId, label, exp, openings, passcodeDigest: digest, fileDigests } };
}

/** shareFileDigest by the platform, which is faster for megabytes. */
const digestOf = async (jwe: string): Promise<string> =>
  bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(utf8ToBytes(jwe)))));

/**
 * The link of a share: `shlink:/…`, after the address of a viewer if one is given, which must end with `#`.
 * @throws {PerpetuaError} LINK_INVALID for what the specification does not allow
 */
export function shareLink({ url, key, exp, flag, label }: ShareLink, viewer = ''): string {
  if (url.length > MAX_URL) throw invalidLink(`The address of a manifest may have ${MAX_URL} characters.`);
  if (label !== null && label.length > MAX_LABEL) throw invalidLink(`A label may have ${MAX_LABEL} characters.`);
  if (viewer !== '' && !viewer.endsWith('#')) throw invalidLink('The address of a viewer must end with #.');
  const payload = { url, key, ...(exp !== null && { exp }), ...(flag && { flag }), ...(label && { label }) };
  return `${viewer}${PREFIX}${toBase64Url(utf8ToBytes(JSON.stringify(payload)))}`;
}

/**
 * Reads a link of anybody, with or without a viewer before it. Lenient where others are not exact: numbers as text, a key with padding.
 * @throws {PerpetuaError} LINK_INVALID, with `details.version` if it is of a newer kind
 */
export function readShareLink(text: string): ShareLink {
  const at = text.indexOf('shlink:/');
  const encoded = at < 0 ? '' : text.slice(at + PREFIX.length).replace(/[\s=]+$|^\/+/g, '');
  const bytes = fromBase64Url(encoded.replaceAll('+', '-').replaceAll('/', '_'));
  const payload = bytes && parsed(new TextDecoder().decode(bytes));
  if (!isRecord(payload)) throw invalidLink('This is not a SMART Health Link, or a part of it is missing.');
  const { url, key, exp, flag, label, v } = payload;
  if (v !== undefined && Number(v) > 1)
    throw invalidLink('This link is of a newer kind than this viewer can open.', { version: Number(v) });
  if (typeof url !== 'string' || !isWebAddress(url)) throw invalidLink('This link has no address of its content.');
  const plainKey = typeof key === 'string' ? key.replace(/=+$/, '') : '';
  if (fromBase64Url(plainKey)?.length !== 32) throw invalidLink('This link has no key.');
  const seconds = Number(exp);
  return {
    url,
    key: plainKey,
    exp: exp !== undefined && exp !== null && Number.isFinite(seconds) ? seconds : null,
    flag: typeof flag === 'string' ? flag : '',
    label: typeof label === 'string' ? label.slice(0, MAX_LABEL) : null,
  };
}

/** https, or the machine itself. */
function isWebAddress(text: string): boolean {
  try {
    // Not by URL.canParse, which browsers of 2023 lack.
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
  } catch {
    return false;
  }
}

/** As openShareLink, for the text of a link. */
export const openShareText = (link: string, options: Partial<OpenOptions>): Promise<readonly SharedFile[]> =>
  openShareLink(readShareLink(link), { ...options, recipient: options.recipient ?? '' });

/**
 * Opens a link: it counts as an opening, and is not repeated.
 * @returns its decrypted files
 * @throws {PerpetuaError} NOT_FOUND if the share has ended, PASSCODE_INVALID with `details.remainingAttempts`, SHARE_INVALID if the
 * server lies about its content, NO_RESPONSE, UNEXPECTED_RESPONSE
 */
export async function openShareLink(link: ShareLink, options: OpenOptions): Promise<readonly SharedFile[]> {
  const { recipient, passcode, embeddedLengthMax } = options;
  const answerOf = reader(options);
  if (link.flag.includes('U')) {
    const url = new URL(link.url);
    url.searchParams.set('recipient', recipient);
    return [await decryptFile(await answerOf(url.href), link.key)];
  }
  const asked = canonicalJson({
    recipient,
    ...(passcode ? { passcode } : {}),
    ...(embeddedLengthMax === undefined ? {} : { embeddedLengthMax }),
  });
  const manifest = parsed(await answerOf(link.url, asked));
  if (!isRecord(manifest) || !Array.isArray(manifest.files)) throw unexpected('The manifest of this share is not one.');
  if (manifest.files.length > MAX_FILES)
    throw altered(`This share has more than ${MAX_FILES} files.`, { tooLarge: true });
  const files: SharedFile[] = [];
  let left = MAX_CONTENT_BYTES;
  for (const file of manifest.files as unknown[]) {
    const { embedded, location, contentType } = isRecord(file) ? file : {};
    const isAt = typeof location === 'string' && isWebAddress(location);
    if (typeof embedded !== 'string' && !isAt) throw unexpected('A file of this share has no content.');
    const jwe = typeof embedded === 'string' ? embedded : await answerOf(String(location));
    const decrypted = await decryptFile(jwe, link.key);
    left -= decrypted.content.length;
    if (left < 0) throw altered('The files of this share are too large together.', { tooLarge: true });
    // What is encrypted decides; a manifest that says something else is wrong about a file that has a type.
    if (contentType !== undefined && contentType !== decrypted.contentType) {
      throw altered('The manifest of this share contradicts its files.');
    }
    files.push(decrypted);
  }
  return files;
}

/** Reads with one time limit for all requests. */
function reader({ fetch = globalThis.fetch, signal, timeout = TIMEOUT_MS }: OpenOptions) {
  const end = performance.now() + timeout;
  return async (path: string, body?: string): Promise<string> => {
    const request =
      body === undefined ? { method: 'GET' as const, path, signal } : { method: 'POST' as const, path, body, signal };
    const left = Math.max(0, Math.ceil(end - performance.now()));
    return textIn(await exchange(fetch, '', request, left, MAX_FILE_BYTES));
  };
}

function textIn({ status, text }: Exchanged): string {
  if (status === 200) return text;
  const answer = parsed(text);
  const attempts = isRecord(answer) ? answer.remainingAttempts : undefined;
  if (status === 401) {
    const remainingAttempts = Number.isInteger(Number(attempts)) ? Number(attempts) : null;
    throw new PerpetuaError('PASSCODE_INVALID', 'The passcode is missing or wrong.', {
      status,
      details: { remainingAttempts },
    });
  }
  if (status === 404 || status === 410) throw new PerpetuaError('NOT_FOUND', 'This share has ended.', { status });
  throw unexpected(`The service of this share answered with status ${status}.`, status);
}
