import type { Language } from '../../../messages/languages.ts';
import { NAME_WORDS } from './name-words.ts';

const WORDS = 3;
const LEAST_NUMBER = 10;
const NUMBERS = 90;

/** A random name of three words and a two-digit number, such as `olive-river-stone-42`. */
export function suggestName(locale: Language): string {
  const list = NAME_WORDS[locale];
  const words = new Set<string>();
  while (words.size < WORDS) words.add(list[below(list.length)] ?? '');
  return [...words, LEAST_NUMBER + below(NUMBERS)].join('-');
}

/** A uniformly distributed random integer below `count`. */
function below(count: number): number {
  const unbiased = 2 ** 32 - (2 ** 32 % count);
  for (;;) {
    const [drawn = unbiased] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < unbiased) return drawn % count;
  }
}
