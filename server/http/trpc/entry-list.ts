import type { LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { BEGIN_EPOCH } from '../../../protocol/ledger/epoch.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY } from '../../../protocol/ledger/relayer-keys.ts';
import type { SubjectKind } from '../../../protocol/operation.ts';
import { type AnyOperation, OPERATIONS } from '../../../protocol/operations.ts';
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
  readonly limit: number;
}

/** A page of the ledger's entries with their subjects. */
export async function namedEntries(
  services: Context,
  { function: name, kind, status, limit, before, after }: EntryQuery,
): Promise<EntryPage<Named<EntrySummary>>> {
  const groups = FUNCTIONS.filter((group) => kind === null || group.kind === kind);
  const known = [...new Set(groups.flatMap(({ functions }) => functions))];
  const functions = name === null && kind === null ? null : known.filter((each) => name === null || each === name);
  const page = await listEntries(services, { functions, status }, { before, after }, limit);
  const entries = await nameEntries(services, page.entries);
  // People and institutions share some functions, such as rotateKey.
  return { ...page, entries: kind === null ? entries : entries.filter(({ subject }) => subject?.kind === kind) };
}
