import Papa from 'papaparse';
import { MAX_RECORD_BYTES, recordIssues } from '../../../../protocol/records/record.ts';
import { recordProblem } from '../../../../protocol/records/record-problems.ts';
import { type Cells, COLUMNS, type Column, REQUIRED_COLUMNS } from './record-columns.ts';
import { type Cover, hasCommaNumber, type ReadRecord, recordOfCells } from './record-of-cells.ts';
import { judged, type RowProblem } from './row-problem.ts';

/** In bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_ROWS = 10_000;

export interface CsvRow extends ReadRecord {
  /** As in a spreadsheet: the header is row 1. */
  readonly row: number;
  readonly cells: Cells;
}

export type ReadCsv =
  | { readonly problem: 'empty' | 'tooMany' }
  | { readonly problem: 'columns'; readonly missing: readonly Column[] }
  | {
      readonly rows: readonly CsvRow[];
      /** Unknown columns of the file, which are not sent. */
      readonly leftOut: readonly string[];
      /** Whether some number has a comma. */
      readonly commas: boolean;
    };

/** A file as text: UTF-8, UTF-16 where a mark says so, else what old spreadsheets write. Without the mark. */
export function textOfFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Reads records from a CSV file (RFC 4180) that is separated by commas, semicolons or tabs. Everything that can be known before
 * sending is in the problems of the rows; what is sent is what stands there.
 */
export function readCsv(text: string, reading: { decimalComma: boolean; cover: Cover; now: number }): ReadCsv {
  const plain = text.replace(/^\ufeff/, '').replace(/^sep=.\r?\n/i, '');
  const { data } = Papa.parse<string[]>(plain, { delimiter: delimiterOf(plain) });
  const [header = [], ...body] = data;
  const filled = body.flatMap((cells, index) => (cells.some((cell) => cell.trim()) ? [{ cells, row: index + 2 }] : []));
  const columns = header.map(columnOf);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (plain.trim() === '' || (filled.length === 0 && missing.length === 0)) return { problem: 'empty' };
  if (missing.length > 0) return { problem: 'columns', missing };
  if (filled.length > MAX_ROWS) return { problem: 'tooMany' };

  const rows = filled.map(({ cells: texts, row }): CsvRow => {
    const cells: Cells = Object.fromEntries(
      columns.flatMap((column, index) => (column ? [[column, texts[index] ?? '']] : [])),
    );
    const { record, problems } = recordOfCells(cells, reading);
    return { row, cells, record, problems: problems.length > 0 ? problems : whatElse(record) };
  });
  return {
    rows,
    leftOut: header.filter((name, index) => columns[index] === null && name.trim() !== ''),
    commas: rows.some(({ cells }) => Object.values(cells).some(hasCommaNumber)),
  };
}

/** The problem that the server would report, where no other was found. */
function whatElse(record: ReadRecord['record']): RowProblem[] {
  const large = new TextEncoder().encode(JSON.stringify(record)).length > MAX_RECORD_BYTES;
  const issues = recordIssues([record]).map(({ path, message }) => judged(path, message));
  return [...issues, ...(large ? [judged('', recordProblem('tooLarge'))] : [])];
}

function columnOf(name: string): Column | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return COLUMNS.find((column) => column === plain) ?? null;
}

/** The separator of the header. */
function delimiterOf(text: string): string {
  const header = text.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
