import type { OpenedKey } from '../_keys/secret.ts';
import type { Flow } from '../_wizard/step-order.ts';
import type { KeptRecovery, KeptRequest } from './kept-recovery.ts';
import { type LinkStatus, type RequestStatus, type StatusRead, statusOf } from './request-status.ts';
import type { Identity } from './situation.ts';

/** The request to the guardians. `mismatch`: the server returned other words than the key has. */
export type Asking = { readonly at: 'idle'; readonly refused: string | null } | { readonly at: 'sending' | 'mismatch' };

/** The identity as last read. */
interface LastRead {
  /** The key of the identity, hex. */
  readonly currentKey: string;
  readonly locked: boolean;
}

interface Drafting extends LastRead {
  readonly at: 'drafting';
  readonly kept: KeptRecovery;
  readonly key: OpenedKey;
  /** The person has a copy of the key, and has opened it once. */
  readonly hasCopy: boolean;
  /** This browser has stored the recovery; otherwise a reload starts over. */
  readonly stored: boolean;
  readonly asking: Asking;
}

/** The request was sent to the guardians. */
export interface Waiting extends LastRead {
  readonly at: 'waiting';
  readonly kept: KeptRecovery & { readonly request: KeptRequest };
  /** Null where this browser has lost the key. */
  readonly key: OpenedKey | null;
  readonly hasCopy: boolean;
  readonly stored: boolean;
  /** Null until it is read. */
  readonly status: Exclude<RequestStatus, { kind: 'recovered' }> | null;
  /** In the order of the links of the request; empty until they are read. */
  readonly links: readonly LinkStatus[];
  /** The server does not answer at the moment. */
  readonly unreachable: boolean;
  /** The state of a repeated request. */
  readonly asking: Asking;
}

export type State =
  /** The recovery stored in this browser is being read. */
  | (LastRead & { readonly at: 'loading' })
  /** `failed`: this browser could not make a key. */
  | (LastRead & { readonly at: 'noKey'; readonly failed: boolean })
  | Drafting
  | Waiting
  /** Null where this browser does not have the new key. */
  | (LastRead & { readonly at: 'recovered'; readonly kept: KeptRecovery; readonly key: OpenedKey | null })
  /** The person has opened the key of the identity: no recovery is needed. */
  | (LastRead & { readonly at: 'keyFound'; readonly key: OpenedKey });

export type Event =
  /** The recovery stored in this browser; `identity` as the server rendered it, at `at` (ms). */
  | {
      readonly type: 'resumed';
      readonly kept: KeptRecovery | null;
      readonly key: OpenedKey | null;
      readonly hasCopy: boolean;
      readonly identity: Identity;
      readonly at: number;
    }
  | {
      readonly type: 'keyMade';
      readonly kept: KeptRecovery;
      readonly key: OpenedKey;
      readonly hasCopy: boolean;
      readonly stored: boolean;
    }
  | { readonly type: 'keyFailed' | 'copied' | 'sent' | 'mismatch' | 'unreachable' }
  /** The key of the identity was opened. */
  | { readonly type: 'keyFound'; readonly key: OpenedKey }
  /** The new key was opened from a copy. */
  | { readonly type: 'keyOpened'; readonly key: OpenedKey; readonly kept: KeptRecovery }
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'requested'; readonly request: KeptRequest }
  | { readonly type: 'read'; readonly read: StatusRead };

const IDLE: Asking = { at: 'idle', refused: null };

/** The state of an identity as the server rendered it. */
export const firstState = (identity: Identity): State => ({
  at: 'loading',
  currentKey: identity.public_key,
  locked: identity.status === 'LOCKED',
});

/** The next state; events that do not apply to a state are ignored. */
export function next(state: State, event: Event): State {
  if (event.type === 'keyFound') return { at: 'keyFound', ...lastReadOf(state), key: event.key };
  switch (state.at) {
    case 'loading':
      return event.type === 'resumed' ? resumed(state, event) : state;
    case 'noKey':
      if (event.type === 'keyFailed') return { ...state, failed: true };
      if (event.type === 'keyMade') return drafting(state, event);
      return event.type === 'keyOpened' ? opened(state, event) : state;
    case 'drafting':
    case 'waiting':
      return afterKey(state, event);
    case 'recovered':
      return event.type === 'keyOpened' ? { ...state, key: event.key } : state;
    case 'keyFound':
      return state;
  }
}

const lastReadOf = ({ currentKey, locked }: LastRead): LastRead => ({ currentKey, locked });

function resumed(state: State, event: Extract<Event, { type: 'resumed' }>): State {
  const { kept, key, hasCopy, identity, at } = event;
  const lastRead = lastReadOf(state);
  if (!kept) return { at: 'noKey', ...lastRead, failed: false };
  const status = statusOf(kept, { identity, links: null, at });
  if (status?.kind === 'recovered') return { at: 'recovered', ...lastRead, kept, key };
  if (kept.request) return { ...waiting(lastRead, kept, kept.request), key, hasCopy, status };
  return key ? drafting(lastRead, { kept, key, hasCopy, stored: true }) : { at: 'noKey', ...lastRead, failed: false };
}

type Made = Pick<Drafting, 'kept' | 'key' | 'hasCopy' | 'stored'>;

const drafting = (lastRead: LastRead, { kept, key, hasCopy, stored }: Made): Drafting => ({
  at: 'drafting',
  ...lastReadOf(lastRead),
  kept,
  key,
  hasCopy,
  stored,
  asking: IDLE,
});

const waiting = (lastRead: LastRead, kept: KeptRecovery, request: KeptRequest): Waiting => ({
  at: 'waiting',
  ...lastReadOf(lastRead),
  kept: { ...kept, request },
  key: null,
  hasCopy: false,
  stored: true,
  status: null,
  links: [],
  unreachable: false,
  asking: IDLE,
});

/** A key opened from a copy needs no other copy. */
function opened(state: LastRead, { key, kept }: Extract<Event, { type: 'keyOpened' }>): State {
  if (!kept.request) return drafting(state, { kept, key, hasCopy: true, stored: true });
  return { ...waiting(state, kept, kept.request), key, hasCopy: true };
}

function afterKey(state: Drafting | Waiting, event: Event): State {
  switch (event.type) {
    case 'copied':
      return state.key ? { ...state, hasCopy: true } : state;
    case 'keyOpened': {
      const isSame = state.at === 'waiting' && state.kept.publicKey === event.kept.publicKey;
      return isSame ? { ...state, key: event.key, hasCopy: true } : opened(state, event);
    }
    case 'sent':
      return state.key && state.hasCopy && state.asking.at === 'idle' ? { ...state, asking: { at: 'sending' } } : state;
    case 'refused':
      if (state.asking.at !== 'sending') return state;
      return { ...state, asking: { at: 'idle', refused: event.code } };
    case 'mismatch':
      return state.asking.at === 'sending' ? { ...state, asking: { at: 'mismatch' } } : state;
    case 'requested': {
      if (state.asking.at !== 'sending') return state;
      const { key, hasCopy, stored } = state;
      const kept = { ...state.kept, formerKey: state.currentKey };
      const status = { kind: 'open', confirmations: 0, rival: 0, keyChanged: false } as const;
      return { ...waiting(state, kept, event.request), key, hasCopy, stored, status };
    }
    case 'read':
      return afterRead(state, event.read);
    case 'unreachable':
      return state.at === 'waiting' ? { ...state, unreachable: true } : state;
    default:
      return state;
  }
}

function afterRead(state: Drafting | Waiting, read: StatusRead): State {
  const { kept, key } = state;
  const lastRead: LastRead = {
    currentKey: read.identity?.public_key ?? state.currentKey,
    locked: read.identity?.status === 'LOCKED',
  };
  const status = statusOf(kept, read);
  if (status?.kind === 'recovered') return { at: 'recovered', ...lastRead, kept, key };
  if (state.at === 'drafting') return { ...state, ...lastRead };
  const { links } = read;
  return {
    ...state,
    ...lastRead,
    unreachable: false,
    status: withHighestCounts(status, state.status),
    links: links ?? state.links,
  };
}

type WaitingStatus = Waiting['status'];

/** Confirmations are never withdrawn: a lower count means a lost response, or that one request hides the other. */
const withHighestCounts = (now: WaitingStatus, before: WaitingStatus): WaitingStatus =>
  now?.kind === 'open' && before?.kind === 'open'
    ? {
        ...now,
        confirmations: Math.max(now.confirmations, before.confirmations),
        rival: Math.max(now.rival, before.rival),
      }
    : now;

type Numbered = 'found' | 'what' | 'key' | 'ask' | 'links' | 'words' | 'watch';
/** `open` and `mine` open an existing key: the identity's, or that of a request from another device. */
type Other = 'loading' | 'open' | 'mine' | 'mismatch' | 'done' | 'consents';

/** What can be opened while the guardians confirm, besides the screens about that. */
const WHILE_WAITING: readonly (string | null)[] = ['what', 'open', 'mine', 'key', 'ask'];
const ABOUT_WAITING = ['links', 'words', 'watch'] as const;
/** What cannot be shown before this browser's storage is read. */
const NEEDS_STORAGE: readonly (string | null)[] = ['key', 'ask', ...ABOUT_WAITING, 'done', 'consents'];

const isMismatch = (state: State): boolean => 'asking' in state && state.asking.at === 'mismatch';

export const RECOVER: Flow<State, Numbered, Other> = {
  steps: [
    { name: 'found' },
    { name: 'what' },
    { name: 'key', isDone: (state) => 'hasCopy' in state && state.key !== null && state.hasCopy },
    { name: 'ask', isDone: ({ at }) => at === 'waiting' },
    { name: 'links', back: null },
    { name: 'words' },
    { name: 'watch', back: null },
  ],
  beside: { open: 'found', mine: 'found', consents: 'done' },
  only(state, requested) {
    if (isMismatch(state)) return 'mismatch';
    const isEnd = requested === 'done' || requested === 'consents';
    switch (state.at) {
      case 'loading':
        return NEEDS_STORAGE.includes(requested) ? 'loading' : null;
      case 'recovered':
      case 'keyFound':
        return requested === 'consents' ? 'consents' : 'done';
      case 'noKey':
      case 'drafting':
        return isEnd ? 'open' : null;
      case 'waiting': {
        if (WHILE_WAITING.includes(requested)) return null;
        const wanted = ABOUT_WAITING.find((screen) => screen === requested);
        return wanted && state.status?.kind === 'open' ? wanted : 'watch';
      }
    }
  },
};
