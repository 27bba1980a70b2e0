import { sha256 } from '@noble/hashes/sha2.js';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { bytesToHex, utf8ToBytes } from './encoding.ts';
import { plainWord } from './plain-words.ts';

/** The number of words in a fingerprint. */
export const FINGERPRINT_WORDS = 6;

const BITS_PER_WORD = 11n;
const LISTED_WORDS = new Set(wordlist);

/**
 * The six words that the holder reads out in a recovery and a guardian types: the first 66 bits of the SHA-256 of the ASCII text
 * `perpetua-recovery:<beo_id>:<new public key, lower-case hex>`, 11 bits for each word of the BIP-39 English list. Protocol §4.
 */
export const recoveryWords = (beoId: string, newPublicKeyHex: string): string[] =>
  fingerprint('recovery', beoId, newPublicKeyHex);

/** The six words that a guardian reads to the holder before confirmGuardian; the prefix is `perpetua-guardian:`. */
export const guardianWords = (beoId: string, publicKeyHex: string): string[] =>
  fingerprint('guardian', beoId, publicKeyHex);

/** True for a word of the BIP-39 English list, in any case. */
export const isListWord = (typed: string): boolean => LISTED_WORDS.has(plainWord(typed));

/** The words of the BIP-39 English list with a prefix, in order; none for an empty prefix. Four letters identify a word. */
export function completions(prefix: string): string[] {
  const start = plainWord(prefix);
  return start === '' ? [] : wordlist.filter((word) => word.startsWith(start));
}

/** True if the typed words are these words in this order; ignores case and accents. */
export function sameWords(typed: readonly string[], words: readonly string[]): boolean {
  return typed.length === words.length && typed.every((word, index) => plainWord(word) === words[index]);
}

function fingerprint(purpose: 'recovery' | 'guardian', beoId: string, publicKeyHex: string): string[] {
  const digest = sha256(utf8ToBytes(`perpetua-${purpose}:${beoId}:${publicKeyHex.toLowerCase()}`));
  const bits = BigInt(`0x${bytesToHex(digest)}`);
  return Array.from({ length: FINGERPRINT_WORDS }, (_, index) => {
    const number = (bits >> (256n - BITS_PER_WORD * BigInt(index + 1))) & 0x7ffn;
    return wordlist[Number(number)] ?? '';
  });
}
