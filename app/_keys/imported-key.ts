import { type OpenedKey, openedSecret, readWords, SECRET_BYTES, type WordsProblem } from './secret.ts';

/** Why a pasted text is not a secret key. */
export type ImportProblem =
  | { readonly kind: 'empty' | 'halves' | 'publicKey' | 'file' }
  /** `count` characters that are neither a seed nor a secret key. */
  | { readonly kind: 'length'; readonly count: number }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'words'; readonly problem: WordsProblem };

export type ImportedKey = { readonly key: OpenedKey } | { readonly problem: ImportProblem };

const SEED_HEX = 2 * SECRET_BYTES;
const SECRET_KEY_HEX = 2 * SEED_HEX;
const HEX = /^[0-9a-f]+$/;
const MIN_WORDS = 12;

/**
 * Reads a key that was made elsewhere: 64 hex characters are an Ed25519 seed (RFC 8032 §5.1.5), 128 the seed and its public
 * key, which must match, or 24 words. Case, spaces, colons and a leading 0x are ignored.
 * @param knownKey the expected public key, so that it is not mistaken for a seed; null where any key will do
 */
export async function readImportedKey(typed: string, knownKey: string | null): Promise<ImportedKey> {
  const text = typed.trim();
  if (text === '') return { problem: { kind: 'empty' } };
  if (text.startsWith('{')) return { problem: { kind: 'file' } };
  const hex = text.replace(/^0x/i, '').replace(/[\s:]/g, '').toLowerCase();
  if (!HEX.test(hex) || looksLikeWords(text)) return readText(text);
  if (hex === knownKey) return { problem: { kind: 'publicKey' } };
  if (hex.length !== SEED_HEX && hex.length !== SECRET_KEY_HEX) {
    return { problem: { kind: 'length', count: hex.length } };
  }
  const key = await openedSecret({ holds: 'seed', bytes: bytesOf(hex.slice(0, SEED_HEX)) });
  const agrees = hex.length === SEED_HEX || hex.slice(SEED_HEX) === key.publicKey;
  return agrees ? { key } : { problem: { kind: 'halves' } };
}

async function readText(text: string): Promise<ImportedKey> {
  if (!looksLikeWords(text)) return { problem: { kind: 'foreign' } };
  const read = await readWords(text);
  if ('problem' in read) return { problem: { kind: 'words', problem: read.problem } };
  return { key: await openedSecret({ holds: 'entropy', bytes: read.entropy }) };
}

/** At least twelve words of letters: shorter runs of letters may also be hex. */
const looksLikeWords = (text: string): boolean =>
  (text.match(/\p{L}{3,}/gu) ?? []).length >= MIN_WORDS && !/\d\p{L}|\p{L}\d/u.test(text);

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
