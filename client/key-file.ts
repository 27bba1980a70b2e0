import { scryptAsync } from '@noble/hashes/scrypt.js';
import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { fromBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { passphraseCandidates } from '../protocol/signing/passphrase.ts';
import { PerpetuaError } from './errors.ts';
import { type Key, keyFromSeed } from './keys.ts';
import { keyFromEntropy } from './words.ts';

/** A key file of the dashboard: a key encrypted under a passphrase, by scrypt and AES-256-GCM. */
interface KeyFile {
  readonly format: 'perpetua-key';
  readonly version: 1 | 2;
  /** Absent where it is the entropy of recovery words. */
  readonly holds?: 'seed';
  readonly public_key: string;
  readonly kdf: {
    readonly name: 'scrypt';
    readonly N: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
  };
  readonly cipher: { readonly name: 'AES-256-GCM'; readonly nonce: string };
  readonly ciphertext: string;
}

/** With r = 8, 256 MiB: a file may not ask for more memory. */
const MAX_N = 2 ** 18;
const KEY_BYTES = 32;

/**
 * Opens a key file that the dashboard wrote. Takes a second or more for each candidate of the passphrase, and up to 256 MiB of
 * memory.
 * @throws {PerpetuaError} KEY_INVALID: not a key file, a changed one, or another passphrase
 */
export async function openKeyFile(text: string, passphrase: string): Promise<Key> {
  const { ciphertext, ...head } = parsedFile(text);
  const sealed = bytesOf(ciphertext);
  let secret: ArrayBuffer | null = null;
  for (const candidate of passphraseCandidates(passphrase, head.version)) {
    secret ??= await decrypted(head, sealed, candidate);
  }
  if (!secret) throw invalid('the passphrase is wrong, or the file was changed');
  const bytes = new Uint8Array(secret);
  const key = head.holds === 'seed' ? keyFromSeed(bytes) : keyFromEntropy(bytes);
  if (key.publicKey !== head.public_key) throw invalid('it contains another key than it states');
  return key;
}

/** Null under another passphrase. */
async function decrypted(
  head: Omit<KeyFile, 'ciphertext'>,
  sealed: Uint8Array<ArrayBuffer>,
  passphrase: string,
): Promise<ArrayBuffer | null> {
  const { N, r, p, salt } = head.kdf;
  const derived = await scryptAsync(utf8ToBytes(passphrase), bytesOf(salt), { N, r, p, dkLen: KEY_BYTES });
  const wrapping = await crypto.subtle.importKey('raw', Uint8Array.from(derived), 'AES-GCM', false, ['decrypt']);
  const additionalData = Uint8Array.from(utf8ToBytes(canonicalJson(head as unknown as Json)));
  return crypto.subtle
    .decrypt({ name: 'AES-GCM', iv: bytesOf(head.cipher.nonce), additionalData }, wrapping, sealed)
    .catch(() => null);
}

function parsedFile(text: string): KeyFile {
  let file: Partial<KeyFile> | null = null;
  try {
    file = JSON.parse(text) as Partial<KeyFile> | null;
  } catch {
    throw invalid('it is not JSON');
  }
  if (file?.format !== 'perpetua-key') throw invalid('it has another format');
  if (file.version !== 1 && file.version !== 2) throw invalid('it was written by a later version');
  const { kdf, cipher, ciphertext } = file;
  const isKnown = kdf?.name === 'scrypt' && cipher?.name === 'AES-256-GCM' && typeof ciphertext === 'string';
  if (!isKnown || kdf.r !== 8 || kdf.p !== 1 || !(kdf.N <= MAX_N)) throw invalid('its parameters are not supported');
  return file as KeyFile;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(base64);
  if (!bytes) throw invalid('it is damaged');
  return Uint8Array.from(bytes);
}

const invalid = (problem: string): PerpetuaError =>
  new PerpetuaError('KEY_INVALID', `The key file cannot be opened: ${problem}.`);
