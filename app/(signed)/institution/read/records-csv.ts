import { assessRecord } from '../../../../protocol/clinical/assess.ts';
import { csvCell } from '../../../../protocol/records/csv-cell.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';

const COLUMNS = [
  'record_id',
  'biomarker',
  'category',
  'level',
  'value',
  'unit',
  'collected_at',
  'submitted_at',
  'status',
  'supersedes',
  'confidence',
  'ref_range',
  'source',
  'ieo_id',
  'beo_id',
  'version',
  'data_hash',
  'arweave_tx',
] as const;

/** RFC 4180 with a byte order mark, for spreadsheets. Values are as they were sent; texts that spreadsheets would execute are escaped. */
export const recordsCsv = (records: readonly BioRecord[]): string =>
  [
    [...COLUMNS, 'interpretation'],
    ...records.map((record) => [...COLUMNS.map((column) => record[column]), assessRecord(record).interpretation]),
  ]
    .map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`)
    .join('')
    .replace(/^/, '\ufeff');
