import type { OpenedKey } from '../../_keys/secret.ts';

/** The screens that are counted; the others are byways. */
export const STEPS: readonly Screen[] = ['who', 'what', 'day', 'key', 'accept'];

export type Screen = 'who' | 'what' | 'day' | 'key' | 'accept' | 'ask' | 'no' | 'done';

const FREE: readonly string[] = ['who', 'ask', 'no', 'what', 'day', 'key'];

/** How far a person has come; which screen is shown follows from it and from the address. */
export interface Progress {
  readonly key: OpenedKey | null;
  /** The person has a copy of their own, seen to open. */
  readonly kept: boolean;
  /** The key was pasted, and this browser is not to keep it. */
  readonly pasted: boolean;
  /** This browser could not make a key. */
  readonly keyless: boolean;
  readonly sending: boolean;
  /** Code of the last refusal. */
  readonly refused: string | null;
  readonly accepted: boolean;
}

export type Event =
  | { readonly type: 'key'; readonly key: OpenedKey; readonly kept: boolean; readonly pasted?: boolean }
  | { readonly type: 'anew' | 'keyless' }
  | { readonly type: 'kept' }
  | { readonly type: 'sending' }
  | { readonly type: 'refused'; readonly code: string }
  | { readonly type: 'accepted' };

export const BEGINNING: Progress = {
  key: null,
  kept: false,
  pasted: false,
  keyless: false,
  sending: false,
  refused: null,
  accepted: false,
};

export function progressed(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'key':
      return { ...progress, key: event.key, kept: event.kept, pasted: event.pasted ?? false, keyless: false };
    case 'anew':
      return { ...BEGINNING };
    case 'keyless':
      return { ...progress, keyless: true };
    case 'kept':
      return progress.key ? { ...progress, kept: true } : progress;
    case 'sending':
      return { ...progress, sending: true, refused: null };
    case 'refused':
      return { ...progress, sending: false, refused: event.code };
    case 'accepted':
      return { ...progress, sending: false, refused: null, accepted: true };
  }
}

/** The screen for what the address asks for: nobody gets to the end without a key that is kept, or back from it. */
export function screenFor(asked: string | null, { key, kept, accepted }: Progress): Screen {
  if (accepted) return 'done';
  if (asked === 'accept' || asked === 'done') return key && kept ? 'accept' : 'key';
  return isFree(asked) ? asked : 'who';
}

const isFree = (asked: string | null): asked is Exclude<Screen, 'accept' | 'done'> =>
  asked !== null && FREE.includes(asked);
