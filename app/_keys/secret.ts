import { plainWord, plainWords } from '../../protocol/signing/plain-words.ts';

/** The use of a key: for a holder's or an institution's own identity, or as a guardian. */
export type Purpose = 'guardian' | 'holder' | 'institution';

/** The 32 bytes that are stored: BIP-39 entropy, which has 24 words, or the Ed25519 seed of a key made elsewhere. */
export interface Secret {
  readonly holds: 'entropy' | 'seed';
  readonly bytes: Uint8Array;
}

/** A key in use: its stored secret, its Ed25519 seed, and its public key in lower-case hex. */
export interface OpenedKey {
  readonly secret: Secret;
  readonly seed: Uint8Array;
  readonly publicKey: string;
}

/** Why 24 words are not a key. `position` counts from 1. */
export type WordsProblem =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'unknown'; readonly words: readonly { readonly position: number; readonly typed: string }[] }
  /** All are on the list, but the checksum is wrong: one word is wrong, or two are swapped. */
  | { readonly kind: 'checksum' };

export const SECRET_BYTES = 32;
export const SECRET_WORDS = 24;

const SEED_BYTES = 32;

/** 32 random bytes from the browser's generator. */
export const newSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** The 24 words of the BIP-39 English list for 32 bytes of entropy. */
export async function wordsOf(entropy: Uint8Array): Promise<string[]> {
  const { entropyToMnemonic, wordlist } = await tools();
  return entropyToMnemonic(entropy, wordlist).split(' ');
}

/** Parses 24 words, as a list or a text (`plainWords`). */
export async function readWords(
  typed: string | readonly string[],
): Promise<{ readonly entropy: Uint8Array } | { readonly problem: WordsProblem }> {
  const { mnemonicToEntropy, wordlist, isListWord } = await tools();
  const given = typeof typed === 'string' ? plainWords(typed) : typed;
  const unknown = given.flatMap((word, index) => (isListWord(word) ? [] : [{ position: index + 1, typed: word }]));
  if (unknown.length > 0) return { problem: { kind: 'unknown', words: unknown } };
  if (given.length !== SECRET_WORDS) return { problem: { kind: 'count', count: given.length } };
  try {
    return { entropy: mnemonicToEntropy(given.map(plainWord).join(' '), wordlist) };
  } catch {
    return { problem: { kind: 'checksum' } };
  }
}

/** The Ed25519 seed of 32 bytes of entropy: the first 32 bytes of BIP-39's seed of its words, without a passphrase. */
export async function seedOf(entropy: Uint8Array): Promise<Uint8Array> {
  const [{ mnemonicToSeed }, words] = await Promise.all([tools(), wordsOf(entropy)]);
  return (await mnemonicToSeed(words.join(' '))).slice(0, SEED_BYTES);
}

/** The public key of a seed, in lower-case hex. */
export async function publicKeyOf(seed: Uint8Array): Promise<string> {
  return (await tools()).publicKeyOf(seed);
}

export const openedKey = (entropy: Uint8Array): Promise<OpenedKey> =>
  openedSecret({ holds: 'entropy', bytes: entropy });

/** The seed is a copy: wiping it does not change the secret. */
export async function openedSecret(secret: Secret): Promise<OpenedKey> {
  const seed = secret.holds === 'seed' ? secret.bytes.slice() : await seedOf(secret.bytes);
  return { secret, seed, publicKey: await publicKeyOf(seed) };
}

/** Overwrites a key that this page no longer needs. */
export function wipe({ secret, seed }: OpenedKey): void {
  secret.bytes.fill(0);
  seed.fill(0);
}

/** Signs bytes (RFC 8032, 64 bytes); the key itself may not be readable. */
export type Sign = (message: Uint8Array) => Promise<Uint8Array>;

/** Signs with the seed itself. */
export const signWith =
  (seed: Uint8Array): Sign =>
  async (message) =>
    (await tools()).signBytes(seed, message);

const tools = () => import('./crypto.ts');
