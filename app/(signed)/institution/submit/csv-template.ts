import { COLUMNS } from './record-columns.ts';

/** A template with all columns and one example row. */
export function csvTemplate(now: Date): string {
  const example: Partial<Record<(typeof COLUMNS)[number], string>> = {
    biomarker: 'BSP-GL-001',
    value: '92',
    unit: 'mg/dL',
    collected_at: now.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    confidence: '0.98',
    ref_low: '70',
    ref_high: '99',
  };
  return `${COLUMNS.join(',')}\r\n${COLUMNS.map((column) => example[column] ?? '').join(',')}\r\n`;
}
