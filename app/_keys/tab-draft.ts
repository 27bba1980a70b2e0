const PREFIX = 'perpetua-draft:';

/**
 * The answers of an unfinished flow, kept in this tab until it is closed: a reload finds them again. Never for keys or passphrases.
 * Null where there are none, or the browser stores nothing.
 */
export function readTabDraft<Draft extends object>(name: string): Partial<Draft> | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
    return typeof stored === 'object' && stored !== null ? stored : null;
  } catch {
    return null;
  }
}

/** Null forgets the draft. Does nothing where the browser refuses to store. */
export function writeTabDraft(name: string, draft: object | null): void {
  try {
    if (draft) sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {}
}

/** Forgets the drafts of an identity, whose names have its id after a colon. */
export function forgetTabDrafts(id: string): void {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(PREFIX) && name.includes(`:${id}`)) sessionStorage.removeItem(name);
  } catch {}
}
