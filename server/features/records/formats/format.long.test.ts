import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { exportedRecord, HOSTILE } from '../../../../protocol/records/test-exported-record.ts';
import { amount } from '../../../../protocol/test-amount.ts';
import { EXPORT_FORMATS, exportWriter } from './format.ts';
import { FACTS } from './test-export.ts';

const COUNT = amount(30_000, 100_000);

describe('an export of many records', () => {
  test.each(EXPORT_FORMATS)('does not keep them in memory: %s', (format) => {
    const records = HOSTILE.slice(0, 10).map((value) => exportedRecord({ value }));
    const writer = exportWriter(format, { ...FACTS, record_count: COUNT });
    let written = writer.begin().length;
    const before = heapInUse();
    for (let index = 0; index < COUNT; index++) {
      const exported = records[index % records.length] ?? exportedRecord();
      written += writer.record({ ...exported, record: { ...exported.record, record_id: idOf(index) } }).length;
    }
    const growth = heapInUse() - before;
    written += writer.end().length;
    expect(written).toBeGreaterThan(COUNT * 500);
    expect(growth).toBeLessThan(COUNT * 150);
  });
});

const idOf = (index: number): string => `00000000-0000-5000-8000-${index.toString(16).padStart(12, '0')}`;

/** Bytes in use after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
