import type { EntryKind, EntryQuery } from '../../server/http/trpc/entry-list.ts';

export const PAGE = 20;
export const STATUSES = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'] as const;
const KINDS: readonly EntryKind[] = ['identity', 'institution', 'consent', 'proposal'];

export type EntryFilters = Pick<EntryQuery, 'function' | 'kind' | 'status'>;

type Parameters = Readonly<Record<string, string | string[] | undefined>>;

const FUNCTION = /^[a-zA-Z]{1,40}$/;
/** More digits than a number of an entry has would not be exact. */
const SEQ = /^\d{1,15}$/;

const oneOf = <Value extends string>(values: readonly Value[], text: unknown): Value | null =>
  values.find((value) => value === text) ?? null;

/** The number of an entry in an address; null for any other text. */
export const seqIn = (text: unknown): number | null =>
  typeof text === 'string' && SEQ.test(text) ? Number(text) : null;

/** What the address of the list selects; a value that it cannot have is ignored. */
export function entryQuery(parameters: Parameters): EntryQuery {
  const { function: name, kind, status, before, after } = parameters;
  return {
    function: typeof name === 'string' && FUNCTION.test(name) ? name : null,
    kind: oneOf(KINDS, kind),
    status: oneOf(STATUSES, status),
    before: seqIn(before),
    after: seqIn(after),
    limit: PAGE,
  };
}

/** The address of a page of the list. */
export function listAddress(filters: EntryFilters, place: { readonly before?: number; readonly after?: number } = {}) {
  const parameters = new URLSearchParams();
  const values = { function: filters.function, kind: filters.kind, status: filters.status, ...place };
  for (const [name, value] of Object.entries(values)) if (value !== null) parameters.set(name, String(value));
  return `/explore${parameters.size > 0 ? `?${parameters}` : ''}#latest`;
}
