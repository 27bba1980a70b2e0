import type { FhirNote, FhirProblem, FhirWarning } from '../../../../protocol/records/fhir/observation-notes.ts';
import {
  type ProblemParts,
  parseRecordProblem,
  type RecordProblem,
} from '../../../../protocol/records/record-problems.ts';
import { COLUMNS, type Column, type FileColumn, RANGE_MEMBERS } from './file-columns.ts';

/** A problem of a cell, found before anything is sent. */
export type CellProblem =
  | 'missing'
  /** Neither listed in the taxonomy nor a well-formed code of one of its categories. */
  | 'code'
  /** A number with two readings, by the decimal mark of the file. */
  | 'mark'
  /** A text, or an error of a spreadsheet, where a number is expected. */
  | 'notNumber'
  /** Not a comparator, or one that cannot stand before the value. */
  | 'comparator'
  /** Less than nothing, or more than the whole. */
  | 'impossible'
  /** Characters that cannot be seen, or were damaged. */
  | 'invisible'
  /** Before 1901, or a day that systems write for none. */
  | 'ancient'
  | 'tooLong'
  /** Neither a day nor a time that can be read. */
  | 'time'
  /** A day in numbers whose order is not chosen. */
  | 'order'
  | 'future'
  | 'number'
  /** JSON, but not an object of ranges. */
  | 'ranges'
  /** Other bounds than those of the columns of one bound each, or in another unit. */
  | 'rangesDiffer'
  /** Another population than the one of the range. */
  | 'populationsDiffer'
  | 'confidence'
  | 'id'
  /** The consent does not cover the category or the level. */
  | 'notCovered'
  /** The consent does not cover the time of collection. */
  | 'outsidePeriod'
  | RecipientProblem;

/** Why a record cannot be submitted for the person that a row names. */
export type RecipientProblem =
  /** No person or consent of this name has given the institution a consent. */
  | 'noConsent'
  /** Several people have this local reference. */
  | 'severalPeople'
  | 'consentWithdrawn'
  | 'consentExpired'
  /** The consent does not allow adding records. */
  | 'cannotAdd'
  /** The person has frozen their identity. */
  | 'frozen';

/** A problem of the form of the file. */
export type StructureProblem =
  /** A quotation mark opens and never closes. */
  | 'openQuote'
  /** Text before or after the quotation marks of a cell. */
  | 'strayQuote'
  /** Not a resource of FHIR. */
  | 'notResource'
  /** More cells than the header. */
  | 'extraCells'
  /** After a row with a quotation mark in a wrong place. */
  | 'afterQuote';

/** A problem of a row. */
export type RowProblem =
  /** Of one cell. */
  | { readonly kind: 'cell'; readonly column: FileColumn; readonly problem: CellProblem }
  /** The row cannot be told from the others, so neither it nor what follows is read. */
  | { readonly kind: 'structure'; readonly problem: StructureProblem }
  /** Found by the rules of the protocol, at a path of the record; an empty path is the whole record. */
  | {
      readonly kind: 'record';
      readonly column: Column | null;
      readonly path: string;
      readonly problem: RecordProblem;
      readonly parts: ProblemParts;
    }
  /** Of an element of FHIR. */
  | { readonly kind: 'fhir'; readonly note: FhirNote<FhirProblem> }
  /** A message of the server that this version does not know. */
  | { readonly kind: 'message'; readonly message: string };

/** The problem for a path and message of a validation error (protocol §5). */
export function recordRowProblem(path: string, message: string): RowProblem {
  const known = parseRecordProblem(message);
  return known
    ? { kind: 'record', column: columnAt(path), path, ...known }
    : { kind: 'message', message: `${path} ${message}`.trim() };
}

/** The column that is sent as the member at a path. */
function columnAt(path: string): Column | null {
  const name = path.replace(/^(ref_range|source)\./, '');
  const isMember: Readonly<Partial<Record<Column, string>>> = RANGE_MEMBERS;
  return COLUMNS.find((column) => (isMember[column] ?? column) === name) ?? null;
}

/** What is unusual about a row that could be submitted. */
export type RowWarning =
  /** The catalogue lists another unit for the biomarker. */
  | { readonly kind: 'unit'; readonly usual: string }
  /** A well-formed code that the catalogue does not list. */
  | { readonly kind: 'unlisted' }
  /** An earlier row has the same person, biomarker and time. */
  | { readonly kind: 'duplicate'; readonly row: number }
  /** A step of a scale, a ratio or a range where a number is expected. */
  | { readonly kind: 'ordinal' }
  /** Possible, but outside of what is usual for the biomarker. */
  | { readonly kind: 'unusual'; readonly low: number; readonly high: number; readonly unit: string }
  /** The cell has a flag after its number. */
  | { readonly kind: 'flag'; readonly value: string; readonly flag: string }
  /** A reference range that is not certainly one of numbers. */
  | { readonly kind: 'rangeText' }
  /** A reference range whose lower bound is not below the upper one, such as the 0 and 0 that some systems write for none. */
  | { readonly kind: 'rangeReversed' }
  /** A cell of a column that is not used, which changes what the row means. */
  | { readonly kind: 'aside'; readonly column: string; readonly text: string }
  /** Of an element of FHIR. */
  | { readonly kind: 'fhir'; readonly note: FhirNote<FhirWarning> }
  /** Sent from this browser before; the outcome may be unknown. */
  | { readonly kind: 'sentBefore' };
