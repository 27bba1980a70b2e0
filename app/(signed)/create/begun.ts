import type { KeptAs } from '../../_keys/keep-key.tsx';

/** What was begun in this browser and is not kept yet. Nothing in it is secret: the key is in browser-copy.ts, encrypted. */
export interface Begun {
  readonly domain: string | null;
  /** Of the drafted key, lower-case hex; null until there is one. */
  readonly publicKey: string | null;
  /** How the person keeps the key, and under what name: a file bears the name that it was made for. */
  readonly copy: { readonly as: KeptAs; readonly domain: string } | null;
  /** Whether it was sent; the answer may have been lost. */
  readonly sent: boolean;
}

export const NOTHING: Begun = { domain: null, publicKey: null, copy: null, sent: false };

/** Under what the key is drafted. */
export const DRAFT = 'create';

const PLACE = 'perpetua-creating';

export function readBegun(): Begun {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Begun>) };
  } catch {
    return NOTHING;
  }
}

/** Quiet where the browser keeps nothing. */
export function writeBegun(begun: Begun): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(begun));
  } catch {
    // The page goes on without.
  }
}

export function forgetBegun(): void {
  try {
    localStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept.
  }
}
