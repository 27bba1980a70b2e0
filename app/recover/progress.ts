import type { OpenedKey } from '../_keys/secret.ts';
import type { KeptRecovery, KeptRequest } from './kept-recovery.ts';
import type { Identity } from './situation.ts';
import { type LinkStanding, type Sight, type Standing, standingOf } from './standing.ts';

/** The screens that are counted; the others are byways. */
export const STEPS = ['found', 'what', 'key', 'ask', 'links', 'words', 'watch'] as const;

export type Step = (typeof STEPS)[number];
/** `open` and `mine` open a key that exists: the identity's, or the one of a request made on another device. */
export type Screen = Step | 'open' | 'mine' | 'loading' | 'mismatch' | 'done' | 'consents';

const WAITING: readonly string[] = ['links', 'words', 'watch'];
const LATER: readonly string[] = ['key', 'ask', ...WAITING, 'done', 'consents'];

/** How far a recovery has come; which screen is shown follows from it and from the address. */
export interface Progress {
  /** What this browser remembers has been looked up. */
  readonly ready: boolean;
  readonly kept: KeptRecovery | null;
  readonly key: OpenedKey | null;
  /** The person has a copy of their own, seen to open. */
  readonly saved: boolean;
  /** This browser remembers nothing: a reload would begin anew. */
  readonly forgetful: boolean;
  /** This browser could not make a key. */
  readonly keyless: boolean;
  readonly sending: boolean;
  /** Code of the last refusal. */
  readonly refused: string | null;
  /** The server answered with other words than the key has. */
  readonly mismatch: boolean;
  /** The identity's key as last seen, hex. */
  readonly currentKey: string;
  readonly locked: boolean;
  readonly standing: Standing | null;
  /** By place of the link; what is not known is left out. */
  readonly links: readonly LinkStanding[];
  /** The server does not answer at the moment. */
  readonly unreachable: boolean;
  /** The person has opened the identity's key, without a recovery. */
  readonly held: boolean;
}

export type Event =
  /** What this browser remembers. */
  | {
      readonly type: 'remembered';
      readonly kept: KeptRecovery | null;
      readonly key: OpenedKey | null;
      readonly saved: boolean;
      readonly at: number;
    }
  | {
      readonly type: 'made';
      readonly kept: KeptRecovery;
      readonly key: OpenedKey;
      readonly saved: boolean;
      readonly forgetful: boolean;
    }
  | { readonly type: 'keyless' }
  | { readonly type: 'saved' }
  /** The identity's own key was opened from a copy. */
  | { readonly type: 'held'; readonly key: OpenedKey }
  /** The new key was opened from a copy. */
  | { readonly type: 'opened'; readonly key: OpenedKey; readonly kept: KeptRecovery }
  | { readonly type: 'sending' }
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'mismatch' }
  | { readonly type: 'requested'; readonly request: KeptRequest }
  | { readonly type: 'seen'; readonly sight: Sight }
  | { readonly type: 'unreachable' };

/** As the server knew the identity when it rendered the page. */
export const beginning = (identity: Identity): Progress => ({
  ready: false,
  kept: null,
  key: null,
  saved: false,
  forgetful: false,
  keyless: false,
  sending: false,
  refused: null,
  mismatch: false,
  currentKey: identity.public_key,
  locked: identity.status === 'LOCKED',
  standing: null,
  links: [],
  unreachable: false,
  held: false,
});

export const progressedFor =
  (identity: Identity) =>
  (progress: Progress, event: Event): Progress => {
    switch (event.type) {
      case 'remembered': {
        const { kept, key, saved, at } = event;
        const standing = kept && standingOf(kept, { identity, links: null, at });
        return { ...progress, ready: true, kept, key, saved, standing };
      }
      case 'made': {
        const { kept, key, saved, forgetful } = event;
        return { ...progress, kept, key, saved, forgetful, keyless: false };
      }
      case 'keyless':
        return { ...progress, keyless: true };
      case 'saved':
        return progress.key ? { ...progress, saved: true } : progress;
      case 'held':
        return { ...progress, key: event.key, held: true };
      case 'opened':
        return { ...progress, key: event.key, kept: event.kept, saved: true };
      case 'sending':
        return { ...progress, sending: true, refused: null };
      case 'refused':
        return { ...progress, sending: false, refused: event.code };
      case 'mismatch':
        return { ...progress, sending: false, mismatch: true };
      case 'requested': {
        if (!progress.kept) return progress;
        const kept = { ...progress.kept, formerKey: progress.currentKey, request: event.request };
        const standing = { kind: 'open', confirmations: 0, rival: 0, keyChanged: false } as const;
        return { ...progress, kept, sending: false, refused: null, standing, links: [] };
      }
      case 'seen': {
        const { identity: seen, links } = event.sight;
        const standing = progress.kept && standingOf(progress.kept, event.sight);
        return {
          ...progress,
          unreachable: false,
          currentKey: seen?.public_key ?? progress.currentKey,
          locked: seen?.status === 'LOCKED',
          standing: notFewer(standing, progress.standing),
          links: links ?? progress.links,
        };
      }
      case 'unreachable':
        return { ...progress, unreachable: true };
    }
  };

/** A confirmation stays. Where fewer are seen than before, an answer did not come, or the own request has hidden the other one. */
const notFewer = (now: Standing | null, before: Standing | null): Standing | null =>
  now?.kind === 'open' && before?.kind === 'open'
    ? {
        ...now,
        confirmations: Math.max(now.confirmations, before.confirmations),
        rival: Math.max(now.rival, before.rival),
      }
    : now;

/** The screen for what the address asks for: nothing comes before what it needs, and a recovery cannot be gone back from. */
export function screenFor(asked: string | null, progress: Progress): Screen {
  const { ready, kept, key, saved, standing, held, mismatch } = progress;
  if (!ready) return asked !== null && LATER.includes(asked) ? 'loading' : isFree(asked) ? asked : 'found';
  if (held || standing?.kind === 'recovered') return asked === 'consents' ? 'consents' : 'done';
  if (mismatch) return 'mismatch';
  if (isFree(asked) && asked !== 'found') return asked;
  if (asked === 'key') return 'key';
  if (kept?.request && asked !== 'ask') return isWaiting(asked) && standing?.kind === 'open' ? asked : 'watch';
  if (asked === 'ask' || isWaiting(asked)) return key && saved ? 'ask' : 'key';
  return asked === 'done' || asked === 'consents' ? 'open' : 'found';
}

const FREE = ['found', 'what', 'open', 'mine'] as const;

const isFree = (asked: string | null): asked is (typeof FREE)[number] => FREE.some((screen) => screen === asked);
const isWaiting = (asked: string | null): asked is 'links' | 'words' | 'watch' =>
  asked !== null && WAITING.includes(asked);
