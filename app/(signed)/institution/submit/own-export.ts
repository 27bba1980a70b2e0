import { isDecimal } from '../../../../protocol/clinical/value.ts';
import { isObject, type Json } from '../../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../../protocol/signing/message.ts';
import { FILE_COLUMNS, type FileColumn, SOURCE_COLUMNS } from './file-columns.ts';
import type { ParsedCsv } from './read-csv.ts';

/** Whether a document is a JSON export of this service. */
export const isOwnJson = (document: Json): document is JsonObject & { readonly records: readonly Json[] } =>
  isObject(document) && document.format === 'JSON' && Array.isArray(document.records);

/** The records of a JSON export as a table. */
export function tableOf({ records }: { readonly records: readonly Json[] }): ParsedCsv {
  const rows = records.map((record) => (isObject(record) ? cellsOf(record) : {}));
  const header: FileColumn[] = FILE_COLUMNS.filter((column) => rows.some((cells) => cells[column] !== undefined));
  return {
    separator: ',',
    header,
    body: rows.map((cells, index) => ({
      row: index + 1,
      texts: header.map((column) => cells[column] ?? ''),
      mark: isDecimal(cells.value ?? '') ? '.' : null,
    })),
  };
}

const DIRECT = ['biomarker', 'value', 'unit', 'collected_at', 'confidence', 'ref_range', 'supersedes'] as const;

function cellsOf(record: JsonObject): Partial<Record<FileColumn, string>> {
  const source = record.source !== undefined && isObject(record.source) ? record.source : {};
  return Object.fromEntries(
    [
      ['patient', textOf(record.beo_id)],
      ...DIRECT.map((column) => [column, textOf(record[column])]),
      ...SOURCE_COLUMNS.map((column) => [column, textOf(source[column])]),
    ].filter(([, text]) => text !== undefined),
  );
}

const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
