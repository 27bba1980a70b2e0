import type { CsvRow } from './read-csv.ts';
import type { RecipientProblem, RowProblem, RowWarning } from './row-problem.ts';

const RECIPIENT_PROBLEMS: readonly string[] = [
  'noConsent',
  'severalPeople',
  'consentWithdrawn',
  'consentExpired',
  'cannotAdd',
  'frozen',
] satisfies readonly RecipientProblem[];

/** A person of a file for whom nothing can be submitted. */
export interface Unreachable {
  /** As the file names them. */
  readonly patient: string;
  readonly problem: RecipientProblem;
  readonly rows: number;
}

/** What can happen to a row, in the order in which the rows are shown. */
export const ROW_STATES = ['bad', 'unusual', 'sentBefore', 'good', 'done'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** A row with what the page shows about it. */
export interface ReviewedRow {
  readonly row: CsvRow;
  readonly state: RowState;
}

export interface FileSummary {
  /** Could be submitted without a question. */
  readonly good: readonly CsvRow[];
  /** Could be submitted, but something about them is unusual. */
  readonly unusual: readonly CsvRow[];
  /** Could be submitted again. */
  readonly sentBefore: readonly CsvRow[];
  readonly bad: readonly CsvRow[];
  /** Accepted earlier. */
  readonly done: readonly CsvRow[];
  readonly unreachable: readonly Unreachable[];
  /** All rows; those with problems first. */
  readonly reviewed: readonly ReviewedRow[];
  readonly kinds: readonly RowKind[];
}

/** Sorts the rows of a file by what can happen to them. */
export function summaryOf(rows: readonly CsvRow[], isDone: (row: CsvRow) => boolean): FileSummary {
  const of: Record<RowState, ReviewedRow[]> = { bad: [], unusual: [], sentBefore: [], good: [], done: [] };
  for (const row of rows) {
    const state = stateOf(row, isDone);
    of[state].push({ row, state });
  }
  const rowsOf = (state: RowState) => of[state].map(({ row }) => row);
  const reviewed = ROW_STATES.flatMap((state) => of[state]);
  const bad = rowsOf('bad');
  return {
    good: rowsOf('good'),
    unusual: rowsOf('unusual'),
    sentBefore: rowsOf('sentBefore'),
    bad,
    done: rowsOf('done'),
    unreachable: unreachableIn(bad),
    reviewed,
    kinds: kindsIn(reviewed),
  };
}

function stateOf(row: CsvRow, isDone: (row: CsvRow) => boolean): RowState {
  if (row.problems.length > 0) return 'bad';
  if (isDone(row)) return 'done';
  if (wasSentBefore(row)) return 'sentBefore';
  return row.warnings.length > 0 ? 'unusual' : 'good';
}

export const wasSentBefore = ({ warnings }: Pick<CsvRow, 'warnings'>): boolean =>
  warnings.some(({ kind }) => kind === 'sentBefore');

/** One kind of problem or warning, and the number of rows that have it. */
export type RowKind = { readonly id: string; readonly count: number } & (
  | { readonly problem: RowProblem }
  | { readonly warning: RowWarning['kind'] }
);

/** The kinds of problems, then of warnings, each with the most frequent first. */
function kindsIn(reviewed: readonly ReviewedRow[]): RowKind[] {
  const kinds = new Map<string, RowKind>();
  for (const { row, state } of reviewed) {
    if (state === 'done') continue;
    for (const problem of row.problems) {
      const id = problemId(problem);
      kinds.set(id, { id, count: (kinds.get(id)?.count ?? 0) + 1, problem });
    }
    for (const { kind } of row.warnings)
      kinds.set(kind, { id: kind, count: (kinds.get(kind)?.count ?? 0) + 1, warning: kind });
  }
  const order = (kind: RowKind) => ('problem' in kind ? 0 : 1);
  return [...kinds.values()].sort((one, other) => order(one) - order(other) || other.count - one.count);
}

const problemId = (problem: RowProblem): string =>
  problem.kind === 'message'
    ? problem.message
    : problem.kind === 'fhir'
      ? `fhir ${problem.note.kind}`
      : ['column' in problem ? problem.column : '', 'path' in problem ? problem.path : '', problem.problem].join(' ');

/** Which rows are shown: those of a state, those that were read as another text, or those of one kind. */
export type RowFilter = 'all' | 'changed' | RowState | { readonly kind: string };

export function rowsShown(reviewed: readonly ReviewedRow[], filter: RowFilter): readonly ReviewedRow[] {
  if (filter === 'all') return reviewed;
  if (filter === 'changed') return reviewed.filter(({ row }) => row.isChanged);
  if (typeof filter === 'string') return reviewed.filter(({ state }) => state === filter);
  const { kind } = filter;
  return reviewed.filter(
    ({ row, state }) =>
      state !== 'done' &&
      (row.problems.some((problem) => problemId(problem) === kind) ||
        row.warnings.some((warning) => warning.kind === kind)),
  );
}

function unreachableIn(bad: readonly CsvRow[]): Unreachable[] {
  const people = new Map<string, Unreachable>();
  for (const { cells, problems } of bad) {
    const problem = recipientProblemIn(problems);
    const patient = (cells.patient ?? '').trim();
    if (!problem) continue;
    people.set(patient, { patient, problem, rows: (people.get(patient)?.rows ?? 0) + 1 });
  }
  return [...people.values()];
}

const isRecipientProblem = (problem: string): problem is RecipientProblem => RECIPIENT_PROBLEMS.includes(problem);

function recipientProblemIn(problems: CsvRow['problems']): RecipientProblem | null {
  for (const problem of problems) {
    if (problem.kind === 'cell' && isRecipientProblem(problem.problem)) return problem.problem;
  }
  return null;
}

/** The number of different people. */
export const peopleIn = (rows: readonly CsvRow[]): number => new Set(rows.map(({ consent }) => consent?.beo_id)).size;
