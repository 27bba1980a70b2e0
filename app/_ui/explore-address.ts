/** Whether a reference can be in a path: encoded slashes and dots are refused there (server/http/request-target.ts). */
export const fitsPath = (reference: string): boolean => !/[/\\\p{Cc}]|%(?:2e|2f|5c)|^\.+$/iu.test(reference);

/** The address of the page about a reference. */
export const pageOf = (reference: string): string =>
  fitsPath(reference)
    ? `/explore/${encodeURIComponent(reference)}`
    : `/explore/search?q=${encodeURIComponent(reference)}`;

/** The subject of these functions is the ledger, which has no page. */
const ABOUT_THE_LEDGER = new Set(['beginEpoch', 'commitRelayerKey', 'rotateRelayerKey']);

/** The address of the page about an entry's entity, if it has one. */
export const pageOfEntity = (entry: { readonly function: string; readonly entity_id: string }): string | undefined =>
  ABOUT_THE_LEDGER.has(entry.function) ? undefined : pageOf(entry.entity_id);

/** The address of the search for a typed text. */
export const searchFor = (typed: string): string =>
  typed.trim() === '' ? '/explore' : `/explore/search?${new URLSearchParams({ q: typed.trim() })}`;
