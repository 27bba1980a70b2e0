import { uuidV5 } from '../../../../protocol/ids.ts';
import type { Exported } from '../../../../protocol/records/exported-record.ts';
import { EXPORTED_AT, HOLDER, LAB } from '../../../../protocol/records/test-exported-record.ts';
import type { ExportFacts } from './exported.ts';
import { type ExportFormat, exportWriter } from './format.ts';

export const FACTS: ExportFacts = {
  ...HOLDER,
  exported_at: EXPORTED_AT,
  token: {
    token_id: `tok_${uuidV5('test:token')}`,
    scope: { intents: ['EXPORT_DATA'], categories: ['*'], levels: [], period: null, max_records: null },
    granted_at: '2026-11-01T08:00:00.000Z',
    expires_at: null,
    grantee: { kind: 'BEO' },
  },
  record_count: 1,
};

export const GRANTED_TO_LAB: ExportFacts = {
  ...FACTS,
  token: {
    ...FACTS.token,
    scope: {
      intents: ['READ_RECORDS', 'EXPORT_DATA'],
      categories: ['BSP-HM', 'BSP-GL'],
      levels: ['STANDARD'],
      period: { from: '2025-01-01T00:00:00.000Z', to: null },
      max_records: 500,
    },
    expires_at: '2027-11-01T08:00:00.000Z',
    grantee: { kind: 'IEO', ...LAB },
  },
};

export function exportOf(format: ExportFormat, records: readonly Exported[], facts: ExportFacts = FACTS): string {
  const writer = exportWriter(format, { ...facts, record_count: records.length });
  return [writer.begin(), ...records.map((record) => writer.record(record)), writer.end()].join('');
}
