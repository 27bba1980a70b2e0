import type { CsvRow } from './read-csv.ts';
import type { RecipientProblem } from './row-problem.ts';

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

export interface FileSummary {
  readonly good: readonly CsvRow[];
  /** Could be submitted, but something about them is unusual. */
  readonly unusual: readonly CsvRow[];
  /** Could be submitted again. */
  readonly sentBefore: readonly CsvRow[];
  readonly bad: readonly CsvRow[];
  /** Accepted earlier. */
  readonly done: readonly CsvRow[];
  readonly unreachable: readonly Unreachable[];
}

/** Sorts the rows of a file by what can happen to them. */
export function summaryOf(rows: readonly CsvRow[], isDone: (row: CsvRow) => boolean): FileSummary {
  const bad = rows.filter(({ problems }) => problems.length > 0);
  const possible = rows.filter(({ problems }) => problems.length === 0);
  const open = possible.filter((row) => !isDone(row));
  const fresh = open.filter((row) => !wasSentBefore(row));
  return {
    good: fresh.filter(({ warnings }) => warnings.length === 0),
    unusual: fresh.filter(({ warnings }) => warnings.length > 0),
    sentBefore: open.filter(wasSentBefore),
    bad,
    done: possible.filter(isDone),
    unreachable: unreachableIn(bad),
  };
}

export const wasSentBefore = ({ warnings }: Pick<CsvRow, 'warnings'>): boolean =>
  warnings.some(({ kind }) => kind === 'sentBefore');

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
