import type { Flow } from '../../_wizard/step-order.ts';

/** The number of mismatches after which the page advises to stop. */
const MAX_MISMATCHES = 3;
const WORDS = 6;

export interface WordsProblem {
  /** `unlisted`: not on the word list. `mismatch`: not the words of the request. `unchecked`: the word list did not load. */
  readonly kind: 'missing' | 'unlisted' | 'mismatch' | 'unchecked';
  /** The indices of the wrong words. */
  readonly wrong: readonly number[];
}

/** The words that the guardian types. */
export interface TypedWords {
  readonly words: readonly string[];
  readonly problem: WordsProblem | null;
  readonly mismatches: number;
  /** They are those of the request. */
  readonly areRight: boolean;
}

export const NO_WORDS: TypedWords = {
  words: Array.from({ length: WORDS }, () => ''),
  problem: null,
  mismatches: 0,
  areRight: false,
};

export const typed = ({ mismatches }: TypedWords, words: readonly string[]): TypedWords => ({
  words,
  problem: null,
  mismatches,
  areRight: false,
});

/** After the words were checked. */
export const checked = ({ words, mismatches }: TypedWords, problem: WordsProblem | null): TypedWords => ({
  words,
  problem,
  mismatches: problem ? mismatches + (problem.kind === 'mismatch' ? 1 : 0) : 0,
  areRight: problem === null,
});

/** Whether there are too many mismatches for a typing error. */
export const advisesToStop = ({ mismatches }: TypedWords): boolean => mismatches >= MAX_MISMATCHES;

interface Confirming {
  readonly wordsAreRight: boolean;
  readonly hasKey: boolean;
  readonly confirmed: boolean;
}

/** The key is asked for only after the right words. */
export const CONFIRM: Flow<Confirming, 'ask' | 'call' | 'words' | 'key' | 'confirm', 'stop' | 'done'> = {
  steps: [
    { name: 'ask' },
    { name: 'call' },
    { name: 'words', isDone: ({ wordsAreRight }) => wordsAreRight },
    { name: 'key', isDone: ({ hasKey }) => hasKey },
    { name: 'confirm', back: 'words' },
  ],
  beside: { stop: 'ask' },
  only: ({ confirmed }) => (confirmed ? 'done' : null),
};
