import type { KeptAs } from '../../_keys/keep-key.tsx';

/** The stored draft of an identity that is not created yet. Nothing in it is secret: browser-copy.ts stores the key, encrypted. */
export interface KeptDraft {
  readonly domain: string | null;
  /** Of the drafted key, lower-case hex; null until there is one. */
  readonly publicKey: string | null;
  /** The kind of copy that the person has, and its domain: a key file contains the domain that it was made for. */
  readonly copy: { readonly as: KeptAs; readonly domain: string } | null;
  /** Whether the request was sent; its response may have been lost. */
  readonly sent: boolean;
}

export const EMPTY_DRAFT: KeptDraft = { domain: null, publicKey: null, copy: null, sent: false };

/** Whether the person has a copy for this domain: words fit any domain, a file contains the one that it was made for. */
export const hasCopy = ({ domain, copy }: KeptDraft): boolean =>
  domain !== null && copy !== null && (copy.as === 'words' || copy.domain === domain);

/** The name of the key in browser-copy.ts. */
export const DRAFT_KEY = 'create';

const STORAGE_NAME = 'perpetua-creating';

export function readDraft(): KeptDraft {
  try {
    return { ...EMPTY_DRAFT, ...(JSON.parse(localStorage.getItem(STORAGE_NAME) ?? '{}') as Partial<KeptDraft>) };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Does nothing where the browser refuses to store. */
export function writeDraft(draft: KeptDraft): void {
  try {
    localStorage.setItem(STORAGE_NAME, JSON.stringify(draft));
  } catch {}
}

export function forgetDraft(): void {
  try {
    localStorage.removeItem(STORAGE_NAME);
  } catch {}
}
