import { changedCells } from './changed-cells.ts';
import { needsOrder, withZone } from './local-times.ts';
import type { CsvRow, ParsedCsv } from './read-csv.ts';

/** A cell as it is in the file, and as it is sent; null where it cannot be read. */
export interface CellReading {
  readonly written: string;
  readonly read: string | null;
}

const MAX_EXAMPLES = 3;
const BEYOND_ASCII = /[^\0-\x7f]/;
const MARKED = /\d[.,]\d/;

/** The first cells whose text depends on the encoding, each once. */
export function encodedCells({ header, body }: Pick<ParsedCsv, 'header' | 'body'>): string[] {
  const found = new Set<string>();
  for (const texts of [header, ...body.map((row) => row.texts)]) {
    for (const cell of texts) if (BEYOND_ASCII.test(cell)) found.add(cell.trim());
    if (found.size >= MAX_EXAMPLES) break;
  }
  return [...found].slice(0, MAX_EXAMPLES);
}

/** The first values with a decimal mark or thousands, each once. */
export const numberCells = (rows: readonly CsvRow[]): CellReading[] =>
  firstOf(rows, (row) => {
    const { cells, problems } = row;
    const unread = new Set(problems.map((problem) => ('column' in problem ? problem.column : null)));
    const changed = changedCells(row);
    return (['value', 'confidence'] as const).flatMap((column) => {
      const written = (cells[column] ?? '').trim();
      if (!MARKED.test(written) || unread.has(column)) return [];
      return [{ written, read: changed.find((cell) => cell.column === column)?.read ?? written }];
    });
  });

/** The first days and times that depend on a choice, each once. */
export const timeCells = (rows: readonly CsvRow[], depends: (text: string) => boolean): CellReading[] =>
  firstOf(rows, ({ cells, record, problems }) => {
    const written = (cells.collected_at ?? '').trim();
    if (!depends(written)) return [];
    const isUnread = problems.some((problem) => 'column' in problem && problem.column === 'collected_at');
    return [{ written, read: isUnread ? null : String(record.collected_at) }];
  });

/** A day in numbers, as it is read with the day first and with the month first; null where it cannot be. */
export interface TwoDates {
  readonly written: string;
  readonly dayFirst: string | null;
  readonly monthFirst: string | null;
}

/** The first days in numbers, each once; those that differ by their order come first. */
export function twoDates(texts: readonly string[], zone: string): TwoDates[] {
  const seen = new Set<string>();
  const [different, same]: [TwoDates[], TwoDates[]] = [[], []];
  for (const text of texts) {
    const written = text.trim();
    if (seen.has(written) || !needsOrder(written)) continue;
    seen.add(written);
    const [dayFirst = null, monthFirst = null] = (['dayFirst', 'monthFirst'] as const).map((order) => {
      const read = withZone(written, order, zone);
      return read === written ? null : read;
    });
    (dayFirst === monthFirst ? same : different).push({ written, dayFirst, monthFirst });
    if (different.length === MAX_EXAMPLES) break;
  }
  return [...different, ...same].slice(0, MAX_EXAMPLES);
}

function firstOf(rows: readonly CsvRow[], readingsOf: (row: CsvRow) => readonly CellReading[]): CellReading[] {
  const found = new Map<string, CellReading>();
  for (const row of rows) {
    for (const reading of readingsOf(row)) if (!found.has(reading.written)) found.set(reading.written, reading);
    if (found.size >= MAX_EXAMPLES) break;
  }
  return [...found.values()].slice(0, MAX_EXAMPLES);
}
