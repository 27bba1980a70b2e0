import type { OpenedKey } from '../../_keys/secret.ts';

/** The screens that are counted; the other is a byway. */
export const STEPS: readonly Screen[] = ['ask', 'call', 'words', 'key', 'confirm'];

export type Screen = 'ask' | 'call' | 'words' | 'key' | 'confirm' | 'stop' | 'done';

/** So many times the words may fail before the page advises to stop. */
const PATIENCE = 3;
const WORDS = 6;

/** What the server answered to a confirmation. */
export interface Outcome {
  readonly confirmations: number;
  readonly executed: boolean;
}

export interface WordsVerdict {
  /** Some are not there, some are not on the list, they are not the request's, or the list of words did not come. */
  readonly kind: 'missing' | 'unlisted' | 'mismatch' | 'unchecked';
  /** Indices of the words it is about. */
  readonly wrong: readonly number[];
}

/** How far a guardian has come; which screen is shown follows from it and from the address. */
export interface Progress {
  /** As typed. */
  readonly words: readonly string[];
  readonly verdict: WordsVerdict | null;
  readonly mismatches: number;
  readonly matched: boolean;
  readonly key: OpenedKey | null;
  readonly sending: boolean;
  /** Code of the last refusal. */
  readonly refused: string | null;
  readonly outcome: Outcome | null;
  /** Confirmations of others, where they have been asked for again since the page was opened. */
  readonly standing: number | null;
}

export type Event =
  | { readonly type: 'typed'; readonly words: readonly string[] }
  | { readonly type: 'doubted'; readonly verdict: WordsVerdict }
  | { readonly type: 'matched' }
  | { readonly type: 'key'; readonly key: OpenedKey }
  | { readonly type: 'stands'; readonly confirmations: number }
  | { readonly type: 'sending' }
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'confirmed'; readonly outcome: Outcome };

export const BEGINNING: Progress = {
  words: Array.from({ length: WORDS }, () => ''),
  verdict: null,
  mismatches: 0,
  matched: false,
  key: null,
  sending: false,
  refused: null,
  outcome: null,
  standing: null,
};

export function progressed(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'typed':
      return { ...progress, words: event.words, verdict: null, matched: false };
    case 'doubted': {
      const missed = event.verdict.kind === 'mismatch' ? 1 : 0;
      return { ...progress, verdict: event.verdict, mismatches: progress.mismatches + missed, matched: false };
    }
    case 'matched':
      return { ...progress, verdict: null, mismatches: 0, matched: true };
    case 'key':
      return { ...progress, key: event.key };
    case 'stands':
      return { ...progress, standing: event.confirmations };
    case 'sending':
      return { ...progress, sending: true, refused: null };
    case 'refused':
      return { ...progress, sending: false, refused: event.code };
    case 'confirmed':
      return { ...progress, sending: false, refused: null, outcome: event.outcome };
  }
}

/** Whether the words have failed so often that it is no slip any more. */
export const isHopeless = ({ mismatches }: Progress): boolean => mismatches >= PATIENCE;

/** The screen for what the address asks for: without the words no key, without the key no confirmation, and no way back from it. */
export function screenFor(asked: string | null, { matched, key, outcome }: Progress): Screen {
  if (outcome) return 'done';
  switch (asked) {
    case 'call':
    case 'words':
    case 'stop':
      return asked;
    case 'key':
      return matched ? 'key' : 'words';
    case 'confirm':
    case 'done':
      if (!matched) return 'words';
      return key ? 'confirm' : 'key';
    default:
      return 'ask';
  }
}
