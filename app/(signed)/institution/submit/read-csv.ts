import Papa from 'papaparse';
import { parseCollected } from '../../../../protocol/clinical/collected.ts';
import { isImpossible, isUsual } from '../../../../protocol/clinical/plausibility.ts';
import { numbersInRange } from '../../../../protocol/clinical/range-text.ts';
import { dimensionOf } from '../../../../protocol/clinical/units.ts';
import { type DecimalMark, isDecimal, parseValue } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { unescapedCell } from '../../../../protocol/records/csv-cell.ts';
import { MAX_RECORD_BYTES, recordIssues } from '../../../../protocol/records/record.ts';
import { recordProblem } from '../../../../protocol/records/record-problems.ts';
import { catalogueWarnings } from './catalogue-check.ts';
import { isChanged } from './changed-cells.ts';
import { BOUND_COLUMNS, type Cells, type FileColumn } from './file-columns.ts';
import { type DateOrder, needsOrder, needsZone, withZone } from './local-times.ts';
import { columnAt, isHeading, type Mapping } from './map-columns.ts';
import { changesRow, isComparator } from './not-final.ts';
import { readValue } from './read-cell.ts';
import type { Recipient } from './recipients.ts';
import { type Cover, type ReadRecord, type RecordOptions, recordOfCells } from './record-of-cells.ts';
import { type RowProblem, type RowWarning, recordRowProblem, type StructureProblem } from './row-problem.ts';
import type { WasSent } from './use-sent-before.ts';

/** In bytes. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
export const MAX_ROWS = 50_000;

/** The texts of a file: a table, or results of FHIR as one. */
export interface ParsedCsv {
  readonly separator: string;
  readonly header: readonly string[];
  /** Without empty rows. In a spreadsheet, the header is row 1. */
  readonly body: readonly {
    readonly row: number;
    readonly texts: readonly string[];
    readonly structure?: StructureProblem;
    /** The decimal mark of its numbers, where the form of the file decides it; null where it decides that it is unknown. */
    readonly mark?: DecimalMark | null;
    readonly problems?: readonly RowProblem[];
    readonly warnings?: readonly RowWarning[];
    /** The names of the person, where there are several. */
    readonly people?: readonly string[];
  }[];
  /** What else is in the file, and is not read. */
  readonly others?: readonly string[];
}

export interface CsvRow extends ReadRecord {
  readonly row: number;
  readonly cells: Cells;
  /** The consent under which it is submitted; null without one. */
  readonly consent: TokenView | null;
  readonly warnings: readonly RowWarning[];
  /** Whether any cell is read as another text than the one in the file. */
  readonly isChanged: boolean;
}

export interface ReadRows {
  readonly rows: readonly CsvRow[];
  /** The columns of the file that are not used, and so not sent. */
  readonly leftOut: readonly string[];
  /** Whether any day is in numbers, so that their order must be known. */
  readonly numericDays: boolean;
  /** Whether any time is without a zone. */
  readonly localTimes: boolean;
}

export type Encoding = 'utf-8' | 'utf-8 damaged' | 'utf-16' | 'windows-1252';

const DAMAGED = /\ufffd/g;
const BEYOND_ASCII = /[^\0-\x7f]/g;

/**
 * Decodes a file, without its byte order mark: UTF-16 if it has that mark, UTF-8 if it is valid or nearly so, else Windows-1252. A
 * byte that is not UTF-8 in a file that otherwise is becomes U+FFFD, which is reported in its cell.
 */
export function textOfFile(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16' };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16' };
  const text = new TextDecoder('utf-8').decode(bytes);
  const damaged = text.match(DAMAGED)?.length ?? 0;
  if (damaged === 0) return { text, encoding: 'utf-8' };
  const readable = (text.match(BEYOND_ASCII)?.length ?? 0) - damaged;
  if (readable > damaged || isUtf8(bytes)) return { text, encoding: 'utf-8 damaged' };
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
}

/** Also where the character U+FFFD itself is in the file, damaged by whoever wrote it. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses a CSV file (RFC 4180) that is separated by commas, semicolons or tabs. The apostrophes of this product's own files are
 * removed. Nothing after a row whose quotation marks are wrong can be told apart.
 */
export function parseCsv(text: string): ParsedCsv | { readonly problem: 'empty' | 'tooMany' } {
  const plain = text.replace(/^\ufeff/, '').replace(/^sep=.\r?\n/i, '');
  const separator = delimiterOf(plain);
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter: separator });
  const headings = headingsIn(data);
  const [header = [], ...lines] = data.slice(headings);
  const quotes = new Map<number, StructureProblem>();
  for (const { row, type, code } of errors)
    if (type === 'Quotes' && row !== undefined) quotes.set(row, code === 'MissingQuotes' ? 'openQuote' : 'strayQuote');
  const firstBroken = Math.min(...quotes.keys());
  const structureOf = (texts: readonly string[], index: number): StructureProblem | undefined => {
    const quote = quotes.get(index);
    if (quote) return quote;
    if (index > firstBroken) return 'afterQuote';
    return texts.slice(header.length).some((cell) => cell.trim()) ? 'extraCells' : undefined;
  };
  const valueAt = isOwnExport(header) ? header.indexOf('value') : -1;
  const body = lines.flatMap((cells, index) => {
    if (!cells.some((cell) => cell.trim())) return [];
    const structure = structureOf(cells, headings + index + 1);
    const texts = cells.map(unescapedCell);
    const mark = valueAt >= 0 && { mark: isDecimal(texts[valueAt]?.trim() ?? '') ? ('.' as const) : null };
    return [{ texts, row: headings + index + 2, ...mark, ...(structure && { structure }) }];
  });
  if (body.length === 0) return { problem: 'empty' };
  if (body.length > MAX_ROWS) return { problem: 'tooMany' };
  const title = data.slice(0, headings).flatMap((cells) => cells.filter((cell) => cell.trim()).join(' ') || []);
  return { separator, header: header.map(unescapedCell), body, others: title };
}

/** Above the headings, spreadsheets have a title, the day of the print, or headings of several columns. In lines. */
const MAX_TITLE = 20;

/** The index of the headings: the first line, unless all that is above other ones is no row of results. */
function headingsIn(lines: readonly (readonly string[])[]): number {
  const known = Math.max(0, lines.slice(0, MAX_TITLE).findIndex(isHeading));
  const filled = (index: number) => (lines[index] ?? []).filter((cell) => cell.trim()).length;
  const isRow = (cells: readonly string[], index: number) =>
    filled(index) >= filled(known) || cells.some((cell) => dimensionOf(cell) !== null);
  return lines.slice(0, known).some(isRow) ? 0 : known;
}

/** Whether a file is an export of this service. Its numbers are those of JSON; a text in it has the mark of who sent it. */
const isOwnExport = (header: readonly string[]): boolean =>
  ['record_id', 'data_hash', 'commitment', 'submitted'].every((name) => header.includes(name));

/** A number of a file that has two readings. */
export interface TwoReadings {
  readonly text: string;
  readonly withPoint: string;
  readonly withComma: string;
}

export interface NumberMarks {
  /** The mark of the values that have one reading only. Alone it proves nothing for the others: a file can be merged from two. */
  readonly proven: DecimalMark | null;
  /** Values whose reading nothing in the file decides; the first few. */
  readonly open: readonly TwoReadings[];
  /** Bounds of ranges with two readings; the first few. Ranges are texts of another hand, so no other number proves their mark. */
  readonly openRanges: readonly TwoReadings[];
}

const MAX_OPEN = 3;
/** Only such a number can have two readings. */
const THREE_DIGITS = /[.,]\d{3}(?!\d)/;
const DECIMAL_POINT = /^[^\d]*(?:\d+|[\d,]*,\d{3})\.(?:\d{1,2}|\d{4,})$|^[^\d]*0\.\d+$/;
const DECIMAL_COMMA = /^[^\d]*(?:\d+|[\d.]*\.\d{3}),(?:\d{1,2}|\d{4,})$|^[^\d]*0,\d+$/;

/** A value with what it measures, by the code of the taxonomy. */
interface Measured {
  readonly value: string;
  readonly biomarker: string;
  readonly unit: string;
}

type Codes = ReadonlyMap<string, string> | undefined;

function measuredIn(texts: readonly string[], mapping: Mapping, codes: Codes): Measured {
  const textOf = (column: 'value' | 'biomarker' | 'unit') => texts[mapping[column] ?? -1]?.trim() ?? '';
  const biomarker = textOf('biomarker');
  return {
    value: textOf('value'),
    biomarker: (codes?.get(biomarker) ?? biomarker).toUpperCase(),
    unit: textOf('unit'),
  };
}

/**
 * The mark of a value with two readings: what the rest of the file proves, if that reading is usual for the biomarker and the other
 * one cannot be. An unusual value is no proof: it may be why the blood was drawn.
 */
function markOf({ value, biomarker, unit }: Measured, proven: DecimalMark | null): DecimalMark | null {
  if (proven === null || !THREE_DIGITS.test(value)) return null;
  const read = (mark: DecimalMark) => readValue(value, mark).meaning;
  const other = read(proven === '.' ? ',' : '.');
  return isImpossible(other, unit, biomarker) && isUsual(biomarker, read(proven), unit) ? proven : null;
}

/** What the numbers of a file say about its decimal marks. */
export function numberMarks({ body }: Pick<ParsedCsv, 'body'>, mapping: Mapping, codes?: Codes): NumberMarks {
  const values = new Map<string, Measured>();
  const openRanges = new Map<string, TwoReadings>();
  const boundsAt = BOUND_COLUMNS.flatMap((column) => {
    const at = mapping[column];
    // Most texts of a large file recur.
    return at === undefined ? [] : [{ column, at, seen: new Set<string>() }];
  });
  for (const { texts, mark } of body) {
    if (mark) continue;
    const measured = measuredIn(texts, mapping, codes);
    const { value, biomarker, unit } = measured;
    values.set(THREE_DIGITS.test(value) ? [value, biomarker, unit].join('\0') : value, measured);
    for (const { column, at, seen } of boundsAt) {
      const cell = texts[at]?.trim() ?? '';
      if (seen.has(cell)) continue;
      seen.add(cell);
      for (const text of column === 'ref_range' ? numbersInRange(cell) : [cell]) {
        const read = THREE_DIGITS.test(text) ? parseValue(text, null) : null;
        if (read?.kind === 'uncertain') openRanges.set(text, { text, ...read });
      }
    }
  }
  const distinct = [...values.values()];
  const hasPoint = distinct.some(({ value }) => DECIMAL_POINT.test(value));
  const hasComma = distinct.some(({ value }) => DECIMAL_COMMA.test(value));
  const proven = hasPoint === hasComma ? null : hasPoint ? '.' : ',';
  const open = new Map<string, TwoReadings>();
  for (const measured of distinct) {
    const { value: text } = measured;
    const read = THREE_DIGITS.test(text) && !open.has(text) ? readValue(text, null).meaning : null;
    if (read?.kind === 'uncertain' && markOf(measured, proven) === null) open.set(text, { text, ...read });
  }
  return {
    proven,
    open: [...open.values()].slice(0, MAX_OPEN),
    openRanges: [...openRanges.values()].slice(0, MAX_OPEN),
  };
}

export interface RowOptions {
  readonly mapping: Mapping;
  /** The decimal mark of values with two readings that the file does not decide; null while it is not chosen. */
  readonly mark: DecimalMark | null;
  /** That of bounds of ranges with two readings. */
  readonly rangeMark: DecimalMark | null;
  /** How days in numbers are written. */
  readonly dateOrder: DateOrder;
  /** The IANA time zone of times without one. */
  readonly zone: string;
  /** The codes of biomarkers by the laboratory's own texts; where absent, it has none. */
  readonly codes?: ReadonlyMap<string, string>;
  readonly wasSent: WasSent;
  /** The consents for the person that a row names. */
  readonly recipientOf: (patient: string) => Recipient;
  /** ms */
  readonly now: number;
}

/**
 * The records of a file. Lists in each row every problem that can be found before sending; does not alter values. The cells stay
 * as they are in the file.
 */
export function readRows(parsed: ParsedCsv, options: RowOptions): ReadRows {
  const reading = readingRows(parsed, options);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

const ROWS_A_STEP = 100;

/** Like `readRows`, in steps; yields the number of rows that are read. */
export function* readingRows(
  parsed: ParsedCsv,
  { mapping, mark, rangeMark, dateOrder, zone, codes, wasSent, recipientOf, now }: RowOptions,
): Generator<number, ReadRows> {
  const { header, body } = parsed;
  const { proven } = numberMarks(parsed, mapping, codes);
  const firstRows = new Map<string, number>();
  const unused = header.flatMap((column, at) =>
    ASIDE.includes(columnAt(mapping, at)) ? [{ column: column.trim(), at }] : [],
  );
  const asides = (texts: readonly string[]): RowWarning[] =>
    unused.flatMap(({ column, at }) => {
      const text = texts[at]?.trim() ?? '';
      return text !== '' && changesRow(column, text) ? [{ kind: 'aside', column, text }] : [];
    });
  const rowOf = ({ texts, row, structure, people, ...given }: ParsedCsv['body'][number]): CsvRow => {
    const cells: Cells = Object.fromEntries(Object.entries(mapping).map(([column, at]) => [column, texts[at] ?? '']));
    if (structure) {
      const problems: RowProblem[] = [{ kind: 'structure', problem: structure }];
      return { row, cells, record: {}, problems, consent: null, warnings: [], isChanged: false };
    }
    const recipient = people ? recipientAmong(people, recipientOf) : recipientOf(cells.patient ?? '');
    const biomarker = cells.biomarker ?? '';
    const value = withComparator(cells);
    const read = {
      ...cells,
      biomarker: codes?.get(biomarker.trim()) ?? biomarker,
      collected_at: withZone(cells.collected_at ?? '', dateOrder, zone),
      value: value ?? cells.value ?? '',
    };
    const {
      record,
      problems: ofCells,
      consent,
      warnings: ofValue,
    } = recordFor(recipient, read, {
      mark: given.mark ?? mark ?? markOf(measuredIn(texts, mapping, codes), proven),
      rangeMark: given.mark ?? rangeMark,
      dateOrder,
      now,
    });
    const ofRow = given.problems?.length ? [...given.problems, ...ofCells.filter(isNotMissing)] : ofCells;
    const problems = value === null ? [NOT_COMPARED, ...ofRow] : ofRow;
    const collected = parseCollected(String(record.collected_at));
    const key =
      collected && record.biomarker !== ''
        ? [consent?.beo_id ?? cells.patient, record.biomarker, isShare(record), collected.day ?? collected.at].join('|')
        : `${row}`;
    const first = firstRows.get(key);
    if (first === undefined) firstRows.set(key, row);
    const warnings: RowWarning[] = [
      ...(given.warnings ?? []),
      ...ofValue,
      ...asides(texts),
      ...(problems.length > 0 ? [] : catalogueWarnings(String(record.biomarker), String(record.unit))),
      ...(first === undefined ? [] : [{ kind: 'duplicate' as const, row: first }]),
      ...(consent && problems.length === 0 && wasSent(consent.beo_id, record) ? [{ kind: 'sentBefore' as const }] : []),
    ];
    return { row, cells, record, problems, consent, warnings, isChanged: isChanged({ cells, record, problems }) };
  };
  const rows: CsvRow[] = [];
  for (const each of body) {
    rows.push(rowOf(each));
    if (rows.length % ROWS_A_STEP === 0) yield rows.length;
  }
  return {
    rows,
    leftOut: [
      ...header.filter((name, index) => columnAt(mapping, index) === null && name.trim() !== ''),
      ...(parsed.others ?? []),
    ],
    numericDays: rows.some(({ cells }) => needsOrder(cells.collected_at ?? '')),
    localTimes: rows.some(({ cells }) => needsZone(cells.collected_at ?? '')),
  };
}

/** Where a comparator is not part of the value: columns that are not used, and “Operator”, which has two meanings. */
const ASIDE: readonly (FileColumn | null)[] = [null, 'operator'];

const isNumber = (text: string): boolean => ['number', 'uncertain'].includes(readValue(text, null).meaning.kind);

/** The value with the comparator of another column; null where that is none, or the value is no number or has another one. */
function withComparator({ value = '', comparator = '' }: Cells): string | null {
  const sign = comparator.trim();
  const text = value.trim();
  if (text === '' || sign === '' || sign === '=') return value;
  if (!isComparator(sign)) return null;
  if (isNumber(text)) return `${sign}${text}`;
  return text.startsWith(sign) && isNumber(text.slice(sign.length)) ? value : null;
}

const NOT_COMPARED: RowProblem = { kind: 'cell', column: 'comparator', problem: 'comparator' };

/** A share in percent is another measurement than the number beside it, as of neutrophils. */
const isShare = ({ unit }: ReadRecord['record']): boolean => dimensionOf(String(unit)) === 'fraction';

/** What is missing because an element was not read has been reported. */
const isNotMissing = (problem: RowProblem): boolean => problem.kind !== 'cell' || problem.problem !== 'missing';

/** The person that several names are of; names that no consent has are left aside, because systems have their own. */
function recipientAmong(names: readonly string[], recipientOf: RowOptions['recipientOf']): Recipient {
  const found = names.map(recipientOf).filter((one) => !('problem' in one) || one.problem !== 'noConsent');
  const [first = { usable: [], problem: 'noConsent' } as const, ...others] = found;
  const [usable] = first.usable;
  const isAnother = others.some((other) => other.usable[0]?.consent.beo_id !== usable?.consent.beo_id);
  return isAnother ? { usable: [], problem: 'severalPeople' } : first;
}

const EVERYTHING: Cover = { covers: () => true, levels: [], period: null };

/** The record under the first consent that covers it, or under the newest with what that does not cover. */
function recordFor(recipient: Recipient, cells: Cells, options: Omit<RecordOptions, 'cover'>) {
  const read = (cover: Cover) => {
    const { record, problems, warnings } = recordOfCells(cells, { ...options, cover });
    return { record, warnings, problems: [...problems, ...serverProblems(record, problems)] };
  };
  if ('problem' in recipient) {
    const { record, problems, warnings } = read(EVERYTHING);
    const isEmpty = cells.patient?.trim() === '';
    const problem = isEmpty ? ('missing' as const) : recipient.problem;
    return {
      record,
      warnings,
      problems: [{ kind: 'cell', column: 'patient', problem } as const, ...problems],
      consent: null,
    };
  }
  const tried = recipient.usable.map(({ consent, cover }) => ({ consent, ...read(cover) }));
  return tried.find(({ problems }) => problems.length === 0) ?? (tried[0] as (typeof tried)[number]);
}

/** The problems that the server would report, of columns without another. */
function serverProblems(record: ReadRecord['record'], found: readonly RowProblem[]): RowProblem[] {
  const columns = new Set(found.map((problem) => ('column' in problem ? problem.column : null)));
  const json = JSON.stringify(record);
  const large = json.length > MAX_RECORD_BYTES / 4 && new TextEncoder().encode(json).length > MAX_RECORD_BYTES;
  const issues = recordIssues([record]).map(({ path, message }) => recordRowProblem(path, message));
  return [...issues, ...(large ? [recordRowProblem('', recordProblem('tooLarge'))] : [])].filter(
    (problem) => !('column' in problem) || problem.column === null || !columns.has(problem.column),
  );
}

const SEPARATORS = [',', ';', '\t'] as const;

/** The separator that makes headings of one of the first lines; else the one that is most frequent in the first. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r?\n/, MAX_TITLE);
  const separating = SEPARATORS.find((separator) => lines.some((line) => isHeading(line.split(separator))));
  if (separating !== undefined) return separating;
  const header = text.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const candidates = SEPARATORS.map((separator) => ({ separator, count: header.split(separator).length }));
  return candidates.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}
