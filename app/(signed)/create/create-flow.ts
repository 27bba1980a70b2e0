import type { KeptIdentity } from '../../_keys/identities.ts';
import type { KeptAs } from '../../_keys/keep-key.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import type { Failure } from '../../_trpc/failure.ts';
import type { KeptDraft } from './kept-draft.ts';

/** The numbered screens, in order; each is a step in the address (`?step=name`). */
export const STEPS = ['name', 'public', 'key', 'here', 'send'] as const;
export type Step = (typeof STEPS)[number];

/** Before the identity is created. */
interface Drafting {
  readonly at: 'drafting';
  readonly draft: KeptDraft;
  readonly key: OpenedKey | null;
  readonly keyFailed: boolean;
  /** Whether a reload finds the key again. */
  readonly keyStored: boolean;
  /** The person has a copy and makes another. */
  readonly copiesAgain: boolean;
  /** The key, encrypted with the passphrase of this browser. */
  readonly file: string | null;
  /** A domain that was taken meanwhile. */
  readonly lostDomain: string | null;
  readonly sending: boolean;
  readonly failure: Failure | null;
}

/** Created; this browser does not keep the key yet. */
interface Created {
  readonly at: 'created';
  readonly id: string;
  readonly domain: string;
  readonly key: OpenedKey;
  readonly keyStored: boolean;
  /** The request has just been accepted, and the key is being stored. */
  readonly storing: boolean;
  readonly cannotStore: boolean;
}

export type State =
  | { readonly at: 'loading' }
  | Drafting
  | Created
  | { readonly at: 'passkey'; readonly identity: KeptIdentity; readonly key: OpenedKey; readonly required: boolean }
  /** `required`: only confirmed guardians are eligible. */
  | { readonly at: 'done'; readonly domain: string; readonly required: boolean };

export type Event =
  | { readonly type: 'resumed'; readonly draft: KeptDraft; readonly key: OpenedKey | null; readonly id: string | null }
  | { readonly type: 'named'; readonly domain: string }
  | { readonly type: 'keyMade'; readonly key: OpenedKey; readonly stored: boolean }
  | { readonly type: 'keyFailed' | 'copyWanted' | 'domainLost' | 'sent' | 'cannotStore' }
  | { readonly type: 'copied'; readonly as: KeptAs }
  | { readonly type: 'sealed'; readonly file: string }
  | { readonly type: 'refused'; readonly failure: Failure | null }
  | { readonly type: 'created'; readonly id: string }
  | { readonly type: 'passkeyOffered'; readonly identity: KeptIdentity; readonly required: boolean }
  | { readonly type: 'finished'; readonly required: boolean };

/** The next state; events that do not apply to a state are ignored. */
export function next(state: State, event: Event): State {
  switch (state.at) {
    case 'loading':
      return event.type === 'resumed' ? resumed(event) : state;
    case 'drafting':
      return afterDrafting(state, event);
    case 'created':
      return afterCreated(state, event);
    case 'passkey': {
      if (event.type !== 'finished') return state;
      return { at: 'done', domain: state.identity.domain, required: event.required };
    }
    case 'done':
      return state;
  }
}

function resumed({ draft, key, id }: Extract<Event, { type: 'resumed' }>): State {
  if (id !== null && draft.domain !== null && key) {
    return {
      at: 'created',
      id,
      domain: draft.domain,
      key,
      keyStored: true,
      storing: false,
      cannotStore: false,
    };
  }
  return {
    at: 'drafting',
    draft,
    key,
    keyFailed: false,
    keyStored: true,
    copiesAgain: false,
    file: null,
    lostDomain: null,
    sending: false,
    failure: null,
  };
}

function afterDrafting(state: Drafting, event: Event): State {
  const { draft, key } = state;
  switch (event.type) {
    case 'named': {
      const { domain } = event;
      const file = domain === draft.domain ? state.file : null;
      return { ...state, draft: { ...draft, domain }, file, lostDomain: null };
    }
    case 'keyMade':
      return {
        ...state,
        draft: { ...draft, publicKey: event.key.publicKey },
        key: event.key,
        keyStored: event.stored,
      };
    case 'keyFailed':
      return { ...state, keyFailed: true };
    case 'copyWanted':
      return { ...state, copiesAgain: true };
    case 'copied': {
      if (!key || draft.domain === null) return state;
      const copy = { as: event.as, domain: draft.domain };
      return { ...state, copiesAgain: false, draft: { ...draft, publicKey: key.publicKey, copy } };
    }
    case 'sealed':
      return key && hasCopy(draft) ? { ...state, file: event.file } : state;
    case 'sent':
      return isComplete(state) ? { ...state, draft: { ...draft, sent: true }, sending: true, failure: null } : state;
    case 'refused':
      return { ...state, sending: false, failure: event.failure };
    case 'domainLost': {
      const given = { ...draft, domain: null, sent: false };
      return { ...state, draft: given, file: null, lostDomain: draft.domain, sending: false, failure: null };
    }
    case 'created':
      if (!state.sending || !key || draft.domain === null) return state;
      return {
        at: 'created',
        id: event.id,
        domain: draft.domain,
        key,
        keyStored: state.keyStored,
        storing: true,
        cannotStore: false,
      };
    default:
      return state;
  }
}

function afterCreated(state: Created, event: Event): State {
  switch (event.type) {
    case 'cannotStore':
      return { ...state, storing: false, cannotStore: true };
    case 'passkeyOffered':
      return { at: 'passkey', identity: event.identity, key: state.key, required: event.required };
    case 'finished':
      return { at: 'done', domain: state.domain, required: event.required };
    default:
      return state;
  }
}

/** Whether the person has a copy for this domain: words fit any domain, a file contains the one that it was made for. */
export const hasCopy = ({ domain, copy }: KeptDraft): boolean =>
  domain !== null && copy !== null && (copy.as === 'words' || copy.domain === domain);

const isComplete = ({ draft, key, file, sending }: Drafting): boolean =>
  key !== null && hasCopy(draft) && file !== null && !sending;

/** The screen, with its data. */
export type Screen =
  /** `past`: the last step was opened again after everything was done. */
  | { readonly at: 'loading' | 'past' }
  | { readonly at: 'name'; readonly domain: string | null; readonly lostDomain: string | null }
  | { readonly at: 'public'; readonly domain: string }
  | { readonly at: 'key' | 'here'; readonly shows: 'keyMissing'; readonly failed: boolean }
  | { readonly at: 'key'; readonly shows: 'hasCopy'; readonly key: OpenedKey; readonly domain: string }
  | {
      readonly at: 'key';
      readonly shows: 'makeCopy';
      readonly key: OpenedKey;
      readonly domain: string;
      /** The domain of a file for another domain. */
      readonly otherDomain: string | null;
    }
  | {
      readonly at: 'here';
      readonly shows: 'seal';
      readonly key: OpenedKey;
      readonly domain: string;
      /** The id, if the identity is already created. */
      readonly id: string | null;
      readonly cannotStore: boolean;
    }
  | { readonly at: 'send'; readonly domain: string; readonly sending: boolean; readonly failure: Failure | null }
  | Extract<State, { at: 'passkey' | 'done' }>;

/** The screen for the requested step, or the first incomplete one before it. */
export function screenOf(requested: string | null, state: State): Screen {
  switch (state.at) {
    case 'loading':
      // The server renders the first screen, so that it can be read and filled in before the scripts run.
      return isFirst(requested) ? { at: 'name', domain: null, lostDomain: null } : { at: 'loading' };
    case 'created': {
      const { domain, key, id, cannotStore } = state;
      if (state.storing) return { at: 'send', domain, sending: true, failure: null };
      return { at: 'here', shows: 'seal', key, domain, id, cannotStore };
    }
    case 'passkey':
    case 'done':
      return state;
    case 'drafting':
      return draftingScreen(requested, state);
  }
}

function draftingScreen(requested: string | null, state: Drafting): Screen {
  const { draft, key, keyFailed, copiesAgain, file, lostDomain, sending, failure } = state;
  const { domain, copy } = draft;
  if (domain === null) return requested === 'done' ? { at: 'past' } : { at: 'name', domain, lostDomain };
  const last = !hasCopy(draft) ? 'key' : file === null ? 'here' : 'send';
  switch (atMost(requested, last)) {
    case 'name':
      return { at: 'name', domain, lostDomain };
    case 'public':
      return { at: 'public', domain };
    case 'key':
      if (!key) return { at: 'key', shows: 'keyMissing', failed: keyFailed };
      if (hasCopy(draft) && !copiesAgain) return { at: 'key', shows: 'hasCopy', key, domain };
      return {
        at: 'key',
        shows: 'makeCopy',
        key,
        domain,
        otherDomain: copy && !hasCopy(draft) ? copy.domain : null,
      };
    case 'here':
      if (!key) return { at: 'here', shows: 'keyMissing', failed: keyFailed };
      return { at: 'here', shows: 'seal', key, domain, id: null, cannotStore: false };
    case 'send':
      return { at: 'send', domain, sending, failure };
  }
}

const isFirst = (requested: string | null): boolean => requested === null || requested === STEPS[0];

/** The requested step, but none after `last`. */
function atMost(requested: string | null, last: Step): Step {
  const wanted = STEPS.find((step) => step === requested) ?? 'name';
  return STEPS.indexOf(wanted) < STEPS.indexOf(last) ? wanted : last;
}
