import { type ProblemParts, parseRecordProblem, type RecordProblem } from '../../../../protocol/record-problems.ts';
import { COLUMNS, type Column, RANGE_MEMBERS } from './record-columns.ts';

/** What can be said of a cell before anything is sent. */
export type CellProblem =
  | 'missing'
  /** Neither a code of the taxonomy nor a well-formed one of its categories. */
  | 'code'
  /** A number with a comma, of which nobody has said what it stands for. */
  | 'comma'
  | 'tooLong'
  /** No date and time with a zone. */
  | 'time'
  | 'future'
  | 'number'
  | 'confidence'
  | 'id'
  /** The consent does not cover the category or the level. */
  | 'notCovered'
  /** The consent does not cover the time of collection. */
  | 'outsidePeriod';

/** What is wrong with a row. */
export type RowProblem =
  /** With one cell. */
  | { readonly kind: 'cell'; readonly column: Column; readonly problem: CellProblem }
  /** By the rules of the protocol, with what stands at a path of the record; an empty one is all of it. */
  | {
      readonly kind: 'judged';
      readonly column: Column | null;
      readonly path: string;
      readonly problem: RecordProblem;
      readonly parts: ProblemParts;
    }
  /** In the words of a server that has others than this page. */
  | { readonly kind: 'said'; readonly said: string };

/** What a judge of records says of one, by path and message (protocol §5). */
export function judged(path: string, message: string): RowProblem {
  const known = parseRecordProblem(message);
  return known
    ? { kind: 'judged', column: columnAt(path), path, ...known }
    : { kind: 'said', said: `${path} ${message}`.trim() };
}

/** Which column is sent as the member at a path. */
function columnAt(path: string): Column | null {
  const name = path.replace(/^(ref_range|source)\./, '');
  const isMember: Readonly<Partial<Record<Column, string>>> = RANGE_MEMBERS;
  return COLUMNS.find((column) => (isMember[column] ?? column) === name) ?? null;
}
