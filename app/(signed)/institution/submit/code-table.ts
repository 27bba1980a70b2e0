import { csvCell } from '../../../../protocol/records/csv-cell.ts';
import { categoryOf } from '../../../../protocol/records/taxonomy.ts';
import type { Mapping } from './map-columns.ts';
import type { ParsedCsv } from './read-csv.ts';

/** Codes of biomarkers by the texts of a laboratory. */
export type Codes = ReadonlyMap<string, string>;

/** A text in the column of the biomarker that is no code of one. */
export interface LocalCode {
  readonly text: string;
  readonly rows: number;
  /** Of its first row. */
  readonly unit: string;
}

const isCode = (text: string): boolean => categoryOf(text.toUpperCase()) !== null;

/** The laboratory's own codes in a file, the most frequent first. */
export function localCodesIn({ body }: Pick<ParsedCsv, 'body'>, mapping: Mapping): LocalCode[] {
  const found = new Map<string, { rows: number; readonly unit: string }>();
  for (const { texts } of body) {
    const text = texts[mapping.biomarker ?? -1] ?? '';
    const before = found.get(text);
    if (before) before.rows++;
    else found.set(text, { rows: 1, unit: texts[mapping.unit ?? -1]?.trim() ?? '' });
  }
  const codes = new Map<string, LocalCode>();
  for (const [cell, { rows, unit }] of found) {
    const text = cell.trim();
    if (text === '' || isCode(text)) continue;
    const before = codes.get(text);
    codes.set(text, { text, rows: rows + (before?.rows ?? 0), unit: before?.unit ?? unit });
  }
  return [...codes.values()].sort((one, other) => other.rows - one.rows);
}

const HEADER = ['code', 'biomarker'] as const;

/** A table of codes as CSV, which a laboratory can keep and change. */
export const codeTableCsv = (codes: Codes): string =>
  [HEADER, ...codes].map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`).join('');

/** The codes in a table, from its first two columns; rows without the code of a biomarker are left out. */
export const codesIn = ({ body }: Pick<ParsedCsv, 'body'>): Codes =>
  new Map(
    body.flatMap(({ texts: [text = '', code = ''], structure }) =>
      text.trim() !== '' && !structure && isCode(code.trim()) ? [[text.trim(), code.trim().toUpperCase()]] : [],
    ),
  );
