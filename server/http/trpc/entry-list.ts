import { DAY_MS } from '../../../protocol/days.ts';
import type { Instant, LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { BEGIN_EPOCH } from '../../../protocol/ledger/epoch.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY } from '../../../protocol/ledger/relayer-keys.ts';
import type { SubjectKind } from '../../../protocol/operation.ts';
import { type AnyOperation, OPERATIONS } from '../../../protocol/operations.ts';
import { type Stated, stateEntries } from '../../features/read/entry-facts.ts';
import { type EntrySubject, type Named, nameEntries } from '../../features/read/name-entries.ts';
import { type EntryPage, type EntryPlace, listEntries } from '../../ledger/list-entries.ts';
import type { EntrySummary } from '../../ledger/read.ts';
import type { Context } from '../context.ts';

export type EntryKind = EntrySubject['kind'];

export const ENTRY_KINDS: readonly EntryKind[] = ['identity', 'institution', 'consent', 'proposal'];

/** Only the relayer writes these functions, about the ledger itself. */
const ABOUT_THE_LEDGER = [BEGIN_EPOCH, COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY];

const KIND_OF = { BEO: 'identity', IEO: 'institution', TOKEN: 'consent', PROPOSAL: 'proposal' } as const;

function kindOf({ about, subjects }: AnyOperation): EntryKind | null {
  const kind: SubjectKind | undefined = 'creates' in about ? about.creates : subjects[about.role]?.kind;
  return kind ? KIND_OF[kind] : null;
}

const functionsOf = (kind: EntryKind): string[] => [
  ...new Set(OPERATIONS.filter((operation) => kindOf(operation) === kind).map((operation) => operation.function)),
];

/** The functions of entries by the kind of their subject; two kinds share some. The ledger's own has no kind. */
export const FUNCTIONS: readonly { readonly kind: EntryKind | null; readonly functions: readonly string[] }[] = [
  ...ENTRY_KINDS.map((kind) => ({ kind, functions: functionsOf(kind) })),
  { kind: null, functions: ABOUT_THE_LEDGER },
];

export interface EntryQuery extends EntryPlace {
  readonly function: string | null;
  readonly kind: EntryKind | null;
  readonly status: LedgerStatus | null;
  /** The first and the last day (UTC, YYYY-MM-DD) on which they were accepted. */
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
}

/** The time at the beginning of a day, or of the one after it. */
const startOf = (day: string | null, after = 0): Instant | null =>
  day === null ? null : new Date(Date.parse(day) + after * DAY_MS).toISOString();

/** A page of the ledger's entries, with their subjects and what they state. */
export async function namedEntries(
  services: Context,
  { function: name, kind, status, from, to, limit, before, after }: EntryQuery,
): Promise<EntryPage<Stated<Named<EntrySummary>>>> {
  const groups = FUNCTIONS.filter((group) => kind === null || group.kind === kind);
  const known = [...new Set(groups.flatMap(({ functions }) => functions))];
  const functions = name === null && kind === null ? null : known.filter((each) => name === null || each === name);
  const filters = { functions, status, from: startOf(from), until: startOf(to, 1) };
  const page = await listEntries(services, filters, { before, after }, limit);
  const named = await nameEntries(services, page.entries);
  // People and institutions share some functions, such as rotateKey.
  const entries = kind === null ? named : named.filter(({ subject }) => subject?.kind === kind);
  return { ...page, entries: await stateEntries(services, entries) };
}

/** The operations of the institute: certifications, proposals and their approvals. */
const DECISIONS = OPERATIONS.filter(({ signer }) => signer === 'institute').map((operation) => operation.function);
const DECISIONS_IN_PAGE = 100;

/** A page of what the institute decided, with the institutions and what was decided; `before` as in EntryPlace. */
export async function listDecisions(
  services: Context,
  before: number | null,
): Promise<EntryPage<Stated<Named<EntrySummary>>>> {
  const filters = { functions: DECISIONS, status: null, from: null, until: null };
  const page = await listEntries(services, filters, { before, after: null }, DECISIONS_IN_PAGE);
  return { ...page, entries: await stateEntries(services, await nameEntries(services, page.entries)) };
}

/** Of the pages that a longer list is read in. A page of rare entries may be short, so their number has a limit too. */
const PAGE = 500;
const MAX_PAGES = 100;

/** The newest entries that a query selects, page by page, at most `most`; each page is read when it is asked for. */
export async function* pagesOfEntries(
  services: Context,
  query: Omit<EntryQuery, 'limit' | 'after'>,
  most: number,
): AsyncGenerator<Stated<Named<EntrySummary>>[]> {
  let [before, left] = [query.before, most];
  for (let read = 0; left > 0 && read < MAX_PAGES; read++) {
    const page = await namedEntries(services, { ...query, before, after: null, limit: Math.min(left, PAGE) });
    if (page.entries.length > 0) yield page.entries;
    if (page.older === null) return;
    left -= page.entries.length;
    before = page.older;
  }
}
