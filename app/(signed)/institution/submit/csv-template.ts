import { FILE_COLUMNS, type FileColumn } from './file-columns.ts';

/** A template with all columns and one example row; the person is left to fill in. */
export function csvTemplate(now: Date): string {
  const example: Partial<Record<FileColumn, string>> = {
    biomarker: 'BSP-GL-001',
    value: '92',
    unit: 'mg/dL',
    collected_at: now.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    confidence: '0.98',
    ref_low: '70',
    ref_high: '99',
  };
  return `${FILE_COLUMNS.join(',')}\r\n${FILE_COLUMNS.map((column) => example[column] ?? '').join(',')}\r\n`;
}
