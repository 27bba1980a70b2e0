import { sha256 } from '@noble/hashes/sha2.js';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { bytesToHex, utf8ToBytes } from './encoding.ts';

/** How many words are read out. */
export const FINGERPRINT_WORDS = 6;

const BITS_PER_WORD = 11n;
const WHOLE_WORDS = new Set(wordlist);

/**
 * The six words that the person recovering reads out and a guardian types: the first 66 bits of SHA-256 over the ASCII text
 * `perpetua-recovery:<beo_id>:<new public key, lower-case hex>`, eleven to a word of the BIP-39 English list. Protocol §4.
 */
export const recoveryWords = (beoId: string, newPublicKeyHex: string): string[] =>
  fingerprint('recovery', beoId, newPublicKeyHex);

/** The six words that a guardian reads to the holder, who compares before confirmGuardian; over `perpetua-guardian:…`. */
export const guardianWords = (beoId: string, publicKeyHex: string): string[] =>
  fingerprint('guardian', beoId, publicKeyHex);

/** A typed word as the list has it: its letters alone, in small ones, without accents that a keyboard put there. */
export const plainWord = (typed: string): string =>
  typed
    .normalize('NFKD')
    .replace(/\P{Letter}/gu, '')
    .toLowerCase();

/** The words of a text; spaces, numbers, commas and full stops between them (“1. word”) are dropped. */
export const plainWords = (text: string): string[] =>
  text
    .split(/[\s\d.,;:]+/)
    .map(plainWord)
    .filter((word) => word !== '');

/** True for a word of the BIP-39 English list, in any case. */
export const isListWord = (typed: string): boolean => WHOLE_WORDS.has(plainWord(typed));

/** The words of the BIP-39 English list that begin so, in its order; none for an empty beginning. Four letters leave one word. */
export function completions(beginning: string): string[] {
  const start = plainWord(beginning);
  return start === '' ? [] : wordlist.filter((word) => word.startsWith(start));
}

/** True when what was typed are these words in this order, whatever the case and the spaces. */
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
