import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { plainWords } from '../protocol/signing/plain-words.ts';
import { PerpetuaError } from './errors.ts';
import { type Key, keyFromSeed } from './keys.ts';

export { guardianWords, recoveryWords } from '../protocol/signing/fingerprint.ts';

const WORDS = 24;
const ENTROPY_BYTES = 32;
const SEED_BYTES = 32;

/** 24 new recovery words (BIP-39, English): the key and its backup at once. */
export const generateWords = (): string =>
  entropyToMnemonic(crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES)), wordlist);

/**
 * The key of 24 recovery words, as the dashboard derives it: the first 32 bytes of BIP-39's seed, without a passphrase. Case, numbers
 * and punctuation between the words are ignored.
 * @throws {PerpetuaError} KEY_INVALID
 */
export function keyFromWords(text: string): Key {
  const words = plainWords(text);
  const unknown = words.filter((word) => !wordlist.includes(word));
  if (unknown.length > 0) throw invalid(`not on the word list: ${unknown.join(', ')}`);
  if (words.length !== WORDS) throw invalid(`there are ${words.length}, not ${WORDS}`);
  try {
    return keyFromEntropy(mnemonicToEntropy(words.join(' '), wordlist));
  } catch {
    throw invalid('one is wrong, or two are swapped');
  }
}

/** The key of the 32 bytes that the words encode. */
export const keyFromEntropy = (entropy: Uint8Array): Key =>
  keyFromSeed(mnemonicToSeedSync(entropyToMnemonic(entropy, wordlist)).slice(0, SEED_BYTES));

const invalid = (problem: string): PerpetuaError =>
  new PerpetuaError('KEY_INVALID', `These are not the recovery words of a key: ${problem}.`);
