import type { OpenedKey } from '../_keys/secret.ts';
import type { KeptRecovery, KeptRequest } from './kept-recovery.ts';
import { type LinkStatus, type RequestStatus, type StatusRead, statusOf } from './request-status.ts';
import type { Identity } from './situation.ts';

/** The numbered screens, in order; each is a step in the address (`?step=found`). */
export const STEPS = ['found', 'what', 'key', 'ask', 'links', 'words', 'watch'] as const;

/** Screens without prerequisites. `open` and `mine` open an existing key: the identity's, or that of a request from another device. */
const OPEN = ['found', 'what', 'open', 'mine'] as const;
const WAITING = ['links', 'words', 'watch'] as const;
const NEEDS_STATE: readonly string[] = ['key', 'ask', ...WAITING, 'done', 'consents'];

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

/** The key screen: no key yet, one that this browser has lost, or one to copy. */
export type KeyScreenState =
  | { readonly at: 'key'; readonly shows: 'making' }
  | { readonly at: 'key'; readonly shows: 'failed' }
  | { readonly at: 'key'; readonly shows: 'lost'; readonly kept: KeptRecovery }
  | { readonly at: 'key'; readonly shows: 'copy'; readonly key: OpenedKey; readonly hasCopy: boolean };

/** The screen, with its data. */
export type Screen =
  | { readonly at: (typeof OPEN)[number] | 'loading' | 'mismatch' }
  | KeyScreenState
  /** `again`: a request was sent before. */
  | { readonly at: 'ask'; readonly again: boolean; readonly sending: boolean; readonly refused: string | null }
  | { readonly at: (typeof WAITING)[number]; readonly waiting: Waiting }
  /** `found`: the key was found, without a recovery. */
  | { readonly at: 'done' | 'consents'; readonly key: OpenedKey; readonly found: boolean; readonly locked: boolean }
  | { readonly at: 'done' | 'consents'; readonly key: null; readonly kept: KeptRecovery };

/** The screen for the requested step: none before its prerequisites, and only the last two after a recovery. */
export function screenOf(requested: string | null, state: State): Screen {
  const open = OPEN.find((screen) => screen === requested);
  switch (state.at) {
    case 'loading':
      if (requested !== null && NEEDS_STATE.includes(requested)) return { at: 'loading' };
      return { at: open ?? 'found' };
    case 'recovered': {
      const at = requested === 'consents' ? 'consents' : 'done';
      const { key, kept, locked } = state;
      return key ? { at, key, found: false, locked } : { at, key, kept };
    }
    case 'keyFound': {
      const { key, locked } = state;
      return { at: requested === 'consents' ? 'consents' : 'done', key, found: true, locked };
    }
    case 'noKey':
      if (open && open !== 'found') return { at: open };
      if (needsKey(requested)) return { at: 'key', shows: state.failed ? 'failed' : 'making' };
      return { at: isAfter(requested) ? 'open' : 'found' };
    case 'drafting':
      if (state.asking.at === 'mismatch') return { at: 'mismatch' };
      if (open && open !== 'found') return { at: open };
      if (requested === 'key') return keyScreen(state);
      if (needsKey(requested)) return askScreen(state);
      return { at: isAfter(requested) ? 'open' : 'found' };
    case 'waiting': {
      if (state.asking.at === 'mismatch') return { at: 'mismatch' };
      if (open && open !== 'found') return { at: open };
      if (requested === 'key') return keyScreen(state);
      if (requested === 'ask') return askScreen(state);
      const wanted = WAITING.find((screen) => screen === requested);
      return { at: wanted && state.status?.kind === 'open' ? wanted : 'watch', waiting: state };
    }
  }
}

const isAfter = (requested: string | null): boolean => requested === 'done' || requested === 'consents';
const needsKey = (requested: string | null): boolean =>
  requested !== null && NEEDS_STATE.includes(requested) && !isAfter(requested);

function keyScreen({ key, kept, hasCopy }: Drafting | Waiting): KeyScreenState {
  return key ? { at: 'key', shows: 'copy', key, hasCopy } : { at: 'key', shows: 'lost', kept };
}

function askScreen(state: Drafting | Waiting): Screen {
  const { key, hasCopy, asking } = state;
  if (!key || !hasCopy) return keyScreen(state);
  const refused = asking.at === 'idle' ? asking.refused : null;
  return { at: 'ask', again: state.at === 'waiting', sending: asking.at === 'sending', refused };
}
