import { csvCell } from '../../../../protocol/records/csv-cell.ts';
import type { ParsedCsv } from './read-csv.ts';

/** A row of a file that was not submitted. */
export interface LeftRow {
  readonly row: number;
  /** Put into words only when the rows are saved. */
  readonly reason: () => string;
}

/** The rows as they are in the file, in its order and with its separator, each with the reason in a last column. */
export function leftRowsCsv({ header, body, separator }: ParsedCsv, left: readonly LeftRow[], reason: string): string {
  const reasons = new Map(left.map((each) => [each.row, each.reason]));
  const lines = body.flatMap(({ row, texts }) => {
    const why = reasons.get(row);
    return why ? [[...header.map((_, index) => texts[index] ?? ''), why()]] : [];
  });
  return [[...header, reason], ...lines]
    .map((cells) => `${cells.map((cell) => csvCell(cell)).join(separator)}\r\n`)
    .join('')
    .replace(/^/, '\ufeff');
}
