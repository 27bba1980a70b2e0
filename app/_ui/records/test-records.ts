import type { BioRecord } from '../../../protocol/records/record.ts';

const counter = { last: 0 };

/** A record as a read returns it. */
export function bioRecord(changes: Partial<BioRecord> = {}): BioRecord {
  const number = ++counter.last;
  return {
    record_id: `record-${number}`,
    beo_id: 'beo',
    ieo_id: 'ieo',
    biomarker: 'BSP-VT-001',
    category: 'BSP-VT',
    level: 'STANDARD',
    value: 30,
    unit: 'ng/mL',
    collected_at: '2026-01-01T08:00:00.000Z',
    submitted_at: '2026-01-02T08:00:00.000Z',
    ref_range: null,
    confidence: null,
    source: { ieo_id: 'ieo', ieo_domain: 'clinic.bsp' },
    supersedes: null,
    version: '1.0.0',
    status: 'ACTIVE',
    data_hash: '00',
    arweave_tx: 'tx',
    ...changes,
  };
}
