/** The stored draft of an identity that is not created yet. Nothing in it is secret: browser-copy.ts stores the key, encrypted. */
export interface KeptDraft {
  readonly domain: string | null;
  /** Of the drafted key, lower-case hex; null until it is protected. */
  readonly publicKey: string | null;
  /** Whether the request was sent; its response may have been lost. */
  readonly sent: boolean;
}

export const EMPTY_DRAFT: KeptDraft = { domain: null, publicKey: null, sent: false };

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
