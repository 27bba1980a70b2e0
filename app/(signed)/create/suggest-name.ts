import type { Language } from '../../../messages/languages.ts';
import { NAME_WORDS } from './name-words.ts';

const WORDS = 3;
const LEAST_NUMBER = 10;
const NUMBERS = 90;

/** Three words and a number of two digits, such as `olive-river-stone-42`: made here, of randomness, and of nothing else. */
export function suggestName(locale: Language): string {
  const list = NAME_WORDS[locale];
  const words = new Set<string>();
  while (words.size < WORDS) words.add(list[below(list.length)] ?? '');
  return [...words, LEAST_NUMBER + below(NUMBERS)].join('-');
}

/** A random whole number below `count`, each as likely as the others. */
function below(count: number): number {
  const unbiased = 2 ** 32 - (2 ** 32 % count);
  for (;;) {
    const [drawn = unbiased] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < unbiased) return drawn % count;
  }
}
