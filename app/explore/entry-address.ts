import type { EntryKind, EntryQuery } from '../../server/http/trpc/entry-list.ts';

export const PAGE = 20;
/** Of one file. */
export const MAX_CSV_ENTRIES = 10_000;
export const STATUSES = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'] as const;
const KINDS: readonly EntryKind[] = ['identity', 'institution', 'consent', 'proposal'];

/** In the order of the address. */
const FILTERS = ['function', 'kind', 'status', 'from', 'to'] as const;

export type EntryFilters = Pick<EntryQuery, (typeof FILTERS)[number]>;

type Parameters = Readonly<Record<string, string | string[] | undefined>>;

const FUNCTION = /^[a-zA-Z]{1,40}$/;
/** More digits than a number of an entry has would not be exact. */
const SEQ = /^\d{1,15}$/;

const oneOf = <Value extends string>(values: readonly Value[], text: unknown): Value | null =>
  values.find((value) => value === text) ?? null;

/** The days that an address can name. */
const DAY = /^(19|2\d)\d{2}-\d\d-\d\d$/;

const dayIn = (text: unknown): string | null =>
  typeof text === 'string' && DAY.test(text) && exists(text) ? text : null;

/** Not 30 February, which some browsers read as a day in March. */
function exists(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Whether the filters leave entries out. */
export const isSelective = (filters: EntryFilters): boolean => FILTERS.some((name) => filters[name] !== null);

/** The number of an entry in an address; null for any other text. */
export const seqIn = (text: unknown): number | null =>
  typeof text === 'string' && SEQ.test(text) ? Number(text) : null;

/** What the address of the list selects; a value that it cannot have is ignored. */
export function entryQuery(parameters: Parameters): EntryQuery {
  const { function: name, kind, status, from, to, before, after } = parameters;
  return {
    function: typeof name === 'string' && FUNCTION.test(name) ? name : null,
    kind: oneOf(KINDS, kind),
    status: oneOf(STATUSES, status),
    from: dayIn(from),
    to: dayIn(to),
    before: seqIn(before),
    after: seqIn(after),
    limit: PAGE,
  };
}

interface Place {
  readonly before?: number;
  readonly after?: number;
}

/** The address of a page of the list. */
export const listAddress = (filters: EntryFilters, place: Place = {}): string =>
  `/explore${queryOf(filters, place)}#latest`;

/** The address of the file with the entries, in a language. */
export const csvAddress = (filters: EntryFilters, lang: string): string =>
  `/explore/entries.csv${queryOf(filters, { lang })}`;

function queryOf(filters: EntryFilters, others: object): string {
  const parameters = new URLSearchParams();
  const values = { ...Object.fromEntries(FILTERS.map((name) => [name, filters[name]])), ...others };
  for (const [name, value] of Object.entries(values)) if (value !== null) parameters.set(name, String(value));
  return parameters.size > 0 ? `?${parameters}` : '';
}
