import type { OpenedKey } from '../../_keys/secret.ts';

/** The numbered screens, in order; each is a step in the address (`?step=who`). */
export const STEPS = ['who', 'what', 'day', 'key', 'accept'] as const;

/** Screens without prerequisites, in any order; `ask` and `no` are not numbered. */
const OPEN = ['who', 'what', 'day', 'ask', 'no'] as const;

export type State =
  /** `failed`: this browser could not make a key. */
  | { readonly at: 'noKey'; readonly failed: boolean }
  | { readonly at: 'keyMade'; readonly key: OpenedKey }
  /** The person has a copy of the key. `pasted`: an existing key was typed in, which this browser does not store. */
  | { readonly at: 'ready'; readonly key: OpenedKey; readonly pasted: boolean; readonly refused: string | null }
  | { readonly at: 'sending'; readonly key: OpenedKey; readonly pasted: boolean }
  | { readonly at: 'accepted'; readonly key: OpenedKey };

export type Event =
  | { readonly type: 'keyMade'; readonly key: OpenedKey; readonly hasCopy: boolean }
  | { readonly type: 'keyOpened'; readonly key: OpenedKey; readonly pasted: boolean }
  | { readonly type: 'keyFailed' | 'keyDropped' | 'copied' | 'sent' | 'accepted' }
  /** `code` of the error table. */
  | { readonly type: 'refused'; readonly code: string };

export const FIRST: State = { at: 'noKey', failed: false };

/** The next state; events that do not apply to a state are ignored. */
export function next(state: State, event: Event): State {
  switch (state.at) {
    case 'noKey':
    case 'keyMade':
    case 'ready':
      return beforeSending(state, event);
    case 'sending': {
      const { key, pasted } = state;
      if (event.type === 'refused') return { at: 'ready', key, pasted, refused: event.code };
      return event.type === 'accepted' ? { at: 'accepted', key } : state;
    }
    case 'accepted':
      return state;
  }
}

function beforeSending(state: Extract<State, { at: 'noKey' | 'keyMade' | 'ready' }>, event: Event): State {
  switch (event.type) {
    case 'keyMade': {
      const { key, hasCopy } = event;
      return hasCopy ? { at: 'ready', key, pasted: false, refused: null } : { at: 'keyMade', key };
    }
    case 'keyOpened':
      return { at: 'ready', key: event.key, pasted: event.pasted, refused: null };
    case 'keyFailed':
      return state.at === 'noKey' ? { at: 'noKey', failed: true } : state;
    case 'keyDropped':
      return FIRST;
    case 'copied':
      return state.at === 'keyMade' ? { at: 'ready', key: state.key, pasted: false, refused: null } : state;
    case 'sent':
      return state.at === 'ready' ? { at: 'sending', key: state.key, pasted: state.pasted } : state;
    default:
      return state;
  }
}

/** The screen, with its data. */
export type Screen =
  | { readonly at: (typeof OPEN)[number] }
  | { readonly at: 'key'; readonly key: OpenedKey | null; readonly failed: boolean; readonly hasCopy: boolean }
  | { readonly at: 'accept'; readonly key: OpenedKey; readonly sending: boolean; readonly refused: string | null }
  | { readonly at: 'done'; readonly key: OpenedKey };

/** The screen for the requested step: the last one needs a key that has a copy. */
export function screenOf(requested: string | null, state: State): Screen {
  if (state.at === 'accepted') return { at: 'done', key: state.key };
  const open = OPEN.find((screen) => screen === requested);
  if (open) return { at: open };
  const isLast = requested === 'accept' || requested === 'done';
  if (!isLast && requested !== 'key') return { at: 'who' };
  switch (state.at) {
    case 'noKey':
      return { at: 'key', key: null, failed: state.failed, hasCopy: false };
    case 'keyMade':
      return { at: 'key', key: state.key, failed: false, hasCopy: false };
    case 'ready':
      if (isLast) return { at: 'accept', key: state.key, sending: false, refused: state.refused };
      return { at: 'key', key: state.key, failed: false, hasCopy: true };
    case 'sending':
      if (isLast) return { at: 'accept', key: state.key, sending: true, refused: null };
      return { at: 'key', key: state.key, failed: false, hasCopy: true };
  }
}
