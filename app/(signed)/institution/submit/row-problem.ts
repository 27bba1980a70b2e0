import {
  type ProblemParts,
  parseRecordProblem,
  type RecordProblem,
} from '../../../../protocol/records/record-problems.ts';
import { COLUMNS, type Column, RANGE_MEMBERS } from './record-columns.ts';

/** A problem of a cell that is found before anything is sent. */
export type CellProblem =
  | 'missing'
  /** Neither a code of the taxonomy nor a well-formed one of its categories. */
  | 'code'
  /** A number with a comma that is ambiguous. */
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

/** A problem of a row. */
export type RowProblem =
  /** Of one cell. */
  | { readonly kind: 'cell'; readonly column: Column; readonly problem: CellProblem }
  /** Of the protocol, at a path of the record; an empty path is the whole record. */
  | {
      readonly kind: 'judged';
      readonly column: Column | null;
      readonly path: string;
      readonly problem: RecordProblem;
      readonly parts: ProblemParts;
    }
  /** In the words of a newer server. */
  | { readonly kind: 'said'; readonly said: string };

/** The problem for a path and message of a validation error (protocol §5). */
export function judged(path: string, message: string): RowProblem {
  const known = parseRecordProblem(message);
  return known
    ? { kind: 'judged', column: columnAt(path), path, ...known }
    : { kind: 'said', said: `${path} ${message}`.trim() };
}

/** The column that is sent as the member at a path. */
function columnAt(path: string): Column | null {
  const name = path.replace(/^(ref_range|source)\./, '');
  const isMember: Readonly<Partial<Record<Column, string>>> = RANGE_MEMBERS;
  return COLUMNS.find((column) => (isMember[column] ?? column) === name) ?? null;
}
