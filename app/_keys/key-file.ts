import * as z from 'zod/mini';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { fromBase64, toBase64, utf8ToBytes } from '../../protocol/signing/encoding.ts';
import { passphraseCandidates, plainPassphrase } from '../../protocol/signing/passphrase.ts';
import { deriveInWorker } from './derive-in-worker.ts';
import type { Derive, OnProgress, ScryptCost } from './scrypt.ts';
import { type OpenedKey, openedSecret, type Purpose, SECRET_BYTES, type Secret } from './secret.ts';

/**
 * A key file: the secret of a key, encrypted with AES-256-GCM under a key derived by scrypt from the passphrase. All other
 * members are plain, and the associated data of the ciphertext as canonical JSON (RFC 8785).
 */
export type KeyFile = z.infer<typeof KEY_FILE>;

export type KeyFileProblem =
  /** Not a key file of this product. */
  | 'foreign'
  /** A key file, but cut off or changed. */
  | 'damaged'
  /** Written by a later version of this product. */
  | 'newer'
  /** Its scrypt parameters exceed those that this product writes. */
  | 'excessive'
  | 'passphrase'
  /** This device could not derive the key, most likely for lack of memory. */
  | 'device';

export const COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
/** In bytes; a key file has well under a thousand. */
export const MAX_KEY_FILE_BYTES = 8_192;

const FORMAT = 'perpetua-key';
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_N = 2 ** 14;
/** With r = 8, 256 MiB: a phone can provide that. */
const MAX_N = 2 ** 18;

const bytesInBase64 = (length: number) => z.string().check(z.refine((text) => fromBase64(text)?.length === length));

const KEY_FILE = z.strictObject({
  format: z.literal(FORMAT),
  /** How the passphrase is normalized: see `passphraseCandidates`. */
  version: z.literal([1, 2]),
  purpose: z.enum(['guardian', 'holder', 'institution']),
  /** Absent where it is entropy, which has 24 words. */
  holds: z.optional(z.literal('seed')),
  beo_domain: z.string().check(z.maxLength(64), z.regex(/^[a-z0-9.-]+$/)),
  public_key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  created_at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.int(),
    r: z.int(),
    p: z.int(),
    salt: bytesInBase64(SALT_BYTES),
  }),
  cipher: z.strictObject({ name: z.literal('AES-256-GCM'), nonce: bytesInBase64(NONCE_BYTES) }),
  ciphertext: bytesInBase64(SECRET_BYTES + TAG_BYTES),
});

export interface KeyFileContent {
  readonly secret: Secret;
  /** Lower-case hex. */
  readonly publicKey: string;
  readonly purpose: Purpose;
  readonly beoDomain: string;
  readonly createdAt: Date;
}

type Means = { readonly onProgress?: OnProgress; readonly derive?: Derive; readonly cost?: ScryptCost };

/**
 * Encrypts a key under a passphrase and returns the text of the file. Takes seconds.
 * @throws {Error} when this device cannot derive (too little memory).
 */
export async function sealKeyFile(content: KeyFileContent, passphrase: string, means: Means = {}): Promise<string> {
  const { onProgress = () => {}, derive = deriveInWorker, cost = COST } = means;
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const head = {
    format: FORMAT,
    version: 2,
    purpose: content.purpose,
    ...(content.secret.holds === 'seed' && { holds: content.secret.holds }),
    beo_domain: content.beoDomain,
    public_key: content.publicKey,
    created_at: content.createdAt.toISOString(),
    kdf: { name: 'scrypt', ...cost, salt: toBase64(salt) },
    cipher: { name: 'AES-256-GCM', nonce: toBase64(nonce) },
  } satisfies Omit<KeyFile, 'ciphertext'>;
  const derived = await derive({ passphrase: plainPassphrase(passphrase), salt, cost }, onProgress);
  const key = await importKey(derived, 'encrypt');
  const ciphertext = await crypto.subtle.encrypt(parameters(head, nonce), key, Uint8Array.from(content.secret.bytes));
  return `${JSON.stringify({ ...head, ciphertext: toBase64(new Uint8Array(ciphertext)) }, null, 2)}\n`;
}

/** Parses a key file strictly, without the passphrase. Its plain members are authenticated only when it is opened. */
export function readKeyFile(text: string): { readonly file: KeyFile } | { readonly problem: KeyFileProblem } {
  const named = text.slice(0, MAX_KEY_FILE_BYTES).includes(`"${FORMAT}"`);
  if (!named) return { problem: 'foreign' };
  const value = text.length > MAX_KEY_FILE_BYTES ? undefined : parsed(text);
  if (LATER_VERSION.safeParse(value).success) return { problem: 'newer' };
  const { data: file } = KEY_FILE.safeParse(value);
  if (!file) return { problem: 'damaged' };
  return isBearable(file.kdf) ? { file } : { problem: 'excessive' };
}

/**
 * Opens a key file. Takes seconds, for each candidate of the passphrase. A wrong passphrase and a changed file are
 * indistinguishable: both are `passphrase`.
 */
export async function openKeyFile(
  file: KeyFile,
  passphrase: string,
  { onProgress = () => {}, derive = deriveInWorker }: Means = {},
): Promise<{ readonly key: OpenedKey } | { readonly problem: KeyFileProblem }> {
  const { ciphertext, ...head } = file;
  const salt = bytes(file.kdf.salt);
  const { N, r, p } = file.kdf;
  const candidates = passphraseCandidates(passphrase, file.version);
  for (const [index, candidate] of candidates.entries()) {
    const report: OnProgress = (fraction) => onProgress((index + fraction) / candidates.length);
    const derived = await derive({ passphrase: candidate, salt, cost: { N, r, p } }, report).catch(() => null);
    if (!derived) return { problem: 'device' };
    const opened = await crypto.subtle
      .decrypt(parameters(head, bytes(file.cipher.nonce)), await importKey(derived, 'decrypt'), bytes(ciphertext))
      .catch(() => null);
    if (!opened) continue;
    const key = await openedSecret({ holds: file.holds ?? 'entropy', bytes: new Uint8Array(opened) });
    return key.publicKey === file.public_key ? { key } : { problem: 'damaged' };
  }
  return { problem: 'passphrase' };
}

/** The name of the file, with the identity and the day. */
export function keyFileName({ purpose, beoDomain, createdAt }: Omit<KeyFileContent, 'secret' | 'publicKey'>): string {
  const whose = purpose === 'guardian' ? 'guardian-of' : 'key-of';
  return `perpetua-${whose}-${beoDomain}-${createdAt.toISOString().slice(0, 10)}.json`;
}

const LATER_VERSION = z.looseObject({ format: z.literal(FORMAT), version: z.int().check(z.gt(2)) });

const isBearable = ({ N, r, p }: ScryptCost): boolean =>
  N >= MIN_N && N <= MAX_N && Number.isInteger(Math.log2(N)) && r === 8 && p === 1;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const bytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(fromBase64(base64) ?? []);

const importKey = (derived: Uint8Array, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Uint8Array.from(derived), 'AES-GCM', false, [use]);

const parameters = (head: Omit<KeyFile, 'ciphertext'>, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: Uint8Array.from(utf8ToBytes(canonicalJson(head as Json))),
});
