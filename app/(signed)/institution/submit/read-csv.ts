import Papa from 'papaparse';
import { MAX_RECORD_BYTES, recordIssues } from '../../../../protocol/records/record.ts';
import { recordProblem } from '../../../../protocol/records/record-problems.ts';
import { type Cells, COLUMNS, type Column, REQUIRED_COLUMNS } from './record-columns.ts';
import { type Cover, hasCommaNumber, type ReadRecord, recordOfCells } from './record-of-cells.ts';
import { type RowProblem, recordRowProblem } from './row-problem.ts';

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
      /** Whether any number has a comma. */
      readonly commas: boolean;
    };

/** Decodes a file, without its byte order mark: UTF-16 if it has that mark, UTF-8 if it is valid, else Windows-1252. */
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
 * Reads records from a CSV file (RFC 4180) that is separated by commas, semicolons or tabs. Lists in each row the problems that
 * can be found before sending, and does not alter values.
 */
export function readCsv(text: string, options: { decimalComma: boolean; cover: Cover; now: number }): ReadCsv {
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
    const { record, problems } = recordOfCells(cells, options);
    return { row, cells, record, problems: problems.length > 0 ? problems : serverProblems(record) };
  });
  return {
    rows,
    leftOut: header.filter((name, index) => columns[index] === null && name.trim() !== ''),
    commas: rows.some(({ cells }) => Object.values(cells).some(hasCommaNumber)),
  };
}

/** The problems that the server would report. */
function serverProblems(record: ReadRecord['record']): RowProblem[] {
  const large = new TextEncoder().encode(JSON.stringify(record)).length > MAX_RECORD_BYTES;
  const issues = recordIssues([record]).map(({ path, message }) => recordRowProblem(path, message));
  return [...issues, ...(large ? [recordRowProblem('', recordProblem('tooLarge'))] : [])];
}

function columnOf(name: string): Column | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return COLUMNS.find((column) => column === plain) ?? null;
}

/** The separator that is most frequent in the header. */
function delimiterOf(text: string): string {
  const header = text.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const candidates = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }));
  return candidates.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}
