import type { OpenedKey } from '../../_keys/secret.ts';

/** The numbered screens, in order; each is a step in the address (`?step=ask`). */
export const STEPS = ['ask', 'call', 'words', 'key', 'confirm'] as const;

/** The number of mismatches after which the page advises to stop. */
const MAX_MISMATCHES = 3;
const WORDS = 6;

/** What the server returned for a confirmation. */
export interface Outcome {
  readonly confirmations: number;
  readonly executed: boolean;
}

export interface WordsProblem {
  /** `unlisted`: not on the word list. `mismatch`: not the words of the request. `unchecked`: the word list did not load. */
  readonly kind: 'missing' | 'unlisted' | 'mismatch' | 'unchecked';
  /** The indices of the wrong words. */
  readonly wrong: readonly number[];
}

type Words = readonly string[];

interface Ready {
  readonly words: Words;
  readonly key: OpenedKey;
  /** Confirmations so far, if they were read since the page was opened. */
  readonly confirmations: number | null;
}

export type State =
  | {
      readonly at: 'words';
      readonly words: Words;
      readonly problem: WordsProblem | null;
      readonly mismatches: number;
      /** The key, if it was opened before the words were changed. */
      readonly key: OpenedKey | null;
    }
  /** The words match. */
  | { readonly at: 'key'; readonly words: Words }
  | (Ready & { readonly at: 'ready'; readonly refused: string | null })
  | (Ready & { readonly at: 'sending' })
  | { readonly at: 'confirmed'; readonly outcome: Outcome };

export type Event =
  | { readonly type: 'typed'; readonly words: Words }
  | { readonly type: 'wordsWrong'; readonly problem: WordsProblem }
  | { readonly type: 'wordsRight' | 'sent' }
  | { readonly type: 'keyOpened'; readonly key: OpenedKey }
  | { readonly type: 'counted'; readonly confirmations: number }
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'confirmed'; readonly outcome: Outcome };

export const FIRST: State = {
  at: 'words',
  words: Array.from({ length: WORDS }, () => ''),
  problem: null,
  mismatches: 0,
  key: null,
};

/** The next state; events that do not apply to a state are ignored. */
export function next(state: State, event: Event): State {
  switch (state.at) {
    case 'confirmed':
      return state;
    case 'sending': {
      const { words, key, confirmations } = state;
      if (event.type === 'refused') return { at: 'ready', words, key, confirmations, refused: event.code };
      return event.type === 'confirmed' ? { at: 'confirmed', outcome: event.outcome } : state;
    }
    case 'words':
      return afterWords(state, event);
    case 'key':
    case 'ready':
      return afterRightWords(state, event);
  }
}

function afterWords(state: Extract<State, { at: 'words' }>, event: Event): State {
  switch (event.type) {
    case 'typed':
      return { ...state, words: event.words, problem: null };
    case 'wordsWrong': {
      const more = event.problem.kind === 'mismatch' ? 1 : 0;
      return { ...state, problem: event.problem, mismatches: state.mismatches + more };
    }
    case 'wordsRight':
      return state.key ? ready(state.words, state.key) : { at: 'key', words: state.words };
    default:
      return state;
  }
}

function afterRightWords(state: Extract<State, { at: 'key' | 'ready' }>, event: Event): State {
  const { words } = state;
  const key = state.at === 'ready' ? state.key : null;
  switch (event.type) {
    case 'typed':
      return { at: 'words', words: event.words, problem: null, mismatches: 0, key };
    case 'wordsWrong':
      return next({ at: 'words', words, problem: null, mismatches: 0, key }, event);
    case 'keyOpened':
      return ready(words, event.key);
    case 'counted':
      return state.at === 'ready' ? { ...state, confirmations: event.confirmations } : state;
    case 'sent': {
      if (state.at !== 'ready') return state;
      return { at: 'sending', words, key: state.key, confirmations: state.confirmations };
    }
    default:
      return state;
  }
}

const ready = (words: Words, key: OpenedKey): State => ({
  at: 'ready',
  words,
  key,
  confirmations: null,
  refused: null,
});

/** The screen, with its data. */
export type Screen =
  | { readonly at: 'ask' | 'call' | 'stop' | 'key' }
  | {
      readonly at: 'words';
      readonly words: Words;
      readonly problem: WordsProblem | null;
      /** Too many mismatches for a typing error. */
      readonly advisesToStop: boolean;
    }
  | {
      readonly at: 'confirm';
      readonly key: OpenedKey;
      readonly confirmations: number | null;
      readonly sending: boolean;
      readonly refused: string | null;
    }
  | { readonly at: 'done'; readonly outcome: Outcome };

/** The screen for the requested step: the key needs the right words, the last question needs the key. */
export function screenOf(requested: string | null, state: State): Screen {
  if (state.at === 'confirmed') return { at: 'done', outcome: state.outcome };
  switch (requested) {
    case 'call':
    case 'stop':
      return { at: requested };
    case 'words':
      return wordsScreen(state);
    case 'key':
      return state.at === 'words' ? wordsScreen(state) : { at: 'key' };
    case 'confirm':
    case 'done': {
      if (state.at === 'words') return wordsScreen(state);
      if (state.at === 'key') return { at: 'key' };
      const { key, confirmations } = state;
      const refused = state.at === 'ready' ? state.refused : null;
      return { at: 'confirm', key, confirmations, sending: state.at === 'sending', refused };
    }
    default:
      return { at: 'ask' };
  }
}

function wordsScreen(state: Exclude<State, { at: 'confirmed' }>): Screen {
  const { words } = state;
  if (state.at !== 'words') return { at: 'words', words, problem: null, advisesToStop: false };
  return { at: 'words', words, problem: state.problem, advisesToStop: state.mismatches >= MAX_MISMATCHES };
}
