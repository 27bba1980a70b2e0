import { normalizeReference } from '../_ui/reference.ts';

const CONSENT = /^tok_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Normalizes a reference; the id of a consent stays as it is. */
export function exploredReference(typed: string, suffix: string): string {
  const name = typed.trim();
  return CONSENT.test(name) ? name : normalizeReference(name, suffix);
}

/** Whether a reference can be in a path: encoded slashes and dots are refused there (server/http/target.ts). */
export const fitsPath = (reference: string): boolean => !/[/\\\p{Cc}]|%(?:2e|2f|5c)|^\.+$/iu.test(reference);

/** The address of the page about a reference. */
export const pageOf = (reference: string): string =>
  fitsPath(reference) ? `/explore/${encodeURIComponent(reference)}` : `/explore?q=${encodeURIComponent(reference)}`;

/** The subject of this function is the ledger, which has no page. */
const ABOUT_THE_LEDGER = 'beginEpoch';

/** The address of the page about an entry's entity, if it has one. */
export const pageOfEntity = (entry: { readonly function: string; readonly entity_id: string }): string | undefined =>
  entry.function === ABOUT_THE_LEDGER ? undefined : pageOf(entry.entity_id);
