import Papa from 'papaparse';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { MAX_RECORD_BYTES, recordIssues } from '../../../../protocol/records/record.ts';
import { recordProblem } from '../../../../protocol/records/record-problems.ts';
import { parseTimestamp } from '../../../../protocol/time.ts';
import { catalogueWarnings } from './catalogue-check.ts';
import type { Cells } from './file-columns.ts';
import { type DateOrder, isLocalTime, withZone } from './local-times.ts';
import { columnAt, type Mapping } from './map-columns.ts';
import type { Recipient } from './recipients.ts';
import { type Cover, hasCommaNumber, type ReadRecord, recordOfCells } from './record-of-cells.ts';
import { type RowProblem, type RowWarning, recordRowProblem } from './row-problem.ts';
import type { WasSent } from './use-sent-before.ts';

/** In bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_ROWS = 10_000;

/** The texts of a file. */
export interface ParsedCsv {
  readonly separator: string;
  readonly header: readonly string[];
  /** Without empty rows. In a spreadsheet, the header is row 1. */
  readonly body: readonly { readonly row: number; readonly texts: readonly string[] }[];
}

export interface CsvRow extends ReadRecord {
  readonly row: number;
  readonly cells: Cells;
  /** The consent under which it is submitted; null without one. */
  readonly consent: TokenView | null;
  readonly warnings: readonly RowWarning[];
}

export interface ReadRows {
  readonly rows: readonly CsvRow[];
  /** The columns of the file that are not used, and so not sent. */
  readonly leftOut: readonly string[];
  /** Whether any number has a comma. */
  readonly commas: boolean;
  /** Whether any time is a day in numbers, or without a zone. */
  readonly localTimes: boolean;
}

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

/** Parses a CSV file (RFC 4180) that is separated by commas, semicolons or tabs. */
export function parseCsv(text: string): ParsedCsv | { readonly problem: 'empty' | 'tooMany' } {
  const plain = text.replace(/^\ufeff/, '').replace(/^sep=.\r?\n/i, '');
  const separator = delimiterOf(plain);
  const { data } = Papa.parse<string[]>(plain, { delimiter: separator });
  const [header = [], ...lines] = data;
  const body = lines.flatMap((texts, index) => (texts.some((cell) => cell.trim()) ? [{ texts, row: index + 2 }] : []));
  if (body.length === 0) return { problem: 'empty' };
  return body.length > MAX_ROWS ? { problem: 'tooMany' } : { separator, header, body };
}

export interface RowOptions {
  readonly mapping: Mapping;
  /** Whether 5,3 means 5.3. */
  readonly decimalComma: boolean;
  /** How days in numbers are written; with it, times without a zone are in that of this device. */
  readonly dateOrder?: DateOrder;
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
export function readRows(
  { header, body }: ParsedCsv,
  { mapping, decimalComma, dateOrder, wasSent, recipientOf, now }: RowOptions,
): ReadRows {
  const firstRows = new Map<string, number>();
  const rows = body.map(({ texts, row }): CsvRow => {
    const cells: Cells = Object.fromEntries(Object.entries(mapping).map(([column, at]) => [column, texts[at] ?? '']));
    const collected = cells.collected_at ?? '';
    const read = dateOrder ? { ...cells, collected_at: withZone(collected, dateOrder) } : cells;
    const { record, problems, consent } = recordFor(recipientOf(cells.patient ?? ''), read, { decimalComma, now });
    const key = `${consent?.beo_id ?? cells.patient}|${record.biomarker}|${parseTimestamp(String(record.collected_at))}`;
    const first = firstRows.get(key);
    if (first === undefined) firstRows.set(key, row);
    const warnings: RowWarning[] = [
      ...(problems.length > 0 ? [] : catalogueWarnings(String(record.biomarker), String(record.unit))),
      ...(first === undefined ? [] : [{ kind: 'duplicate' as const, row: first }]),
      ...(consent && problems.length === 0 && wasSent(consent.beo_id, record) ? [{ kind: 'sentBefore' as const }] : []),
    ];
    return { row, cells, record, problems, consent, warnings };
  });
  return {
    rows,
    leftOut: header.filter((name, index) => columnAt(mapping, index) === null && name.trim() !== ''),
    commas: rows.some(({ cells }) => Object.values(cells).some(hasCommaNumber)),
    localTimes: rows.some(({ cells }) => isLocalTime(cells.collected_at ?? '')),
  };
}

const EVERYTHING: Cover = { covers: () => true, levels: [], period: null };

/** The record under the first consent that covers it, or under the newest with what that does not cover. */
function recordFor(recipient: Recipient, cells: Cells, options: Pick<RowOptions, 'decimalComma' | 'now'>) {
  const read = (cover: Cover) => {
    const { record, problems } = recordOfCells(cells, { ...options, cover });
    return { record, problems: [...problems, ...serverProblems(record, problems)] };
  };
  if ('problem' in recipient) {
    const { record, problems } = read(EVERYTHING);
    const isEmpty = cells.patient?.trim() === '';
    const problem = isEmpty ? ('missing' as const) : recipient.problem;
    return { record, problems: [{ kind: 'cell', column: 'patient', problem } as const, ...problems], consent: null };
  }
  const tried = recipient.usable.map(({ consent, cover }) => ({ consent, ...read(cover) }));
  return tried.find(({ problems }) => problems.length === 0) ?? (tried[0] as (typeof tried)[number]);
}

/** The problems that the server would report, of columns without another. */
function serverProblems(record: ReadRecord['record'], found: readonly RowProblem[]): RowProblem[] {
  const columns = new Set(found.map((problem) => (problem.kind === 'message' ? null : problem.column)));
  const large = new TextEncoder().encode(JSON.stringify(record)).length > MAX_RECORD_BYTES;
  const issues = recordIssues([record]).map(({ path, message }) => recordRowProblem(path, message));
  return [...issues, ...(large ? [recordRowProblem('', recordProblem('tooLarge'))] : [])].filter(
    (problem) => problem.kind === 'message' || problem.column === null || !columns.has(problem.column),
  );
}

/** The separator that is most frequent in the header. */
function delimiterOf(text: string): string {
  const header = text.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const candidates = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }));
  return candidates.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}
