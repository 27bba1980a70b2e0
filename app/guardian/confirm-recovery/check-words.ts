import { plainWord } from '../../../protocol/signing/plain-words.ts';
import type { WordsProblem } from './confirm-flow.ts';

type WordList = Pick<typeof import('../../_keys/crypto.ts'), 'recoveryWords' | 'sameWords' | 'isListWord'>;

/** The problem of the words typed for a request, or null. A mismatch does not show which word is wrong. */
export function checkWords(
  list: WordList,
  typed: readonly string[],
  { beo_id, new_public_key }: { readonly beo_id: string; readonly new_public_key: string },
): WordsProblem | null {
  const words = typed.map(plainWord);
  const among = (wrong: (word: string) => boolean) => words.flatMap((word, index) => (wrong(word) ? [index] : []));
  const missing = among((word) => word === '');
  if (missing.length > 0) return { kind: 'missing', wrong: missing };
  const unlisted = among((word) => !list.isListWord(word));
  if (unlisted.length > 0) return { kind: 'unlisted', wrong: unlisted };
  return list.sameWords(words, list.recoveryWords(beo_id, new_public_key)) ? null : { kind: 'mismatch', wrong: [] };
}
