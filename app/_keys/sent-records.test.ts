import { expect, test } from 'vitest';
import { fingerprintOf } from './sent-records.ts';

const record = { biomarker: 'BSP-GL-001', value: 92, unit: 'mg/dL', collected_at: '2026-11-19T08:30:00Z' };

test('a record has one fingerprint, however its time and the order of its members are written', () => {
  const { unit, ...rest } = record;
  for (const collected_at of ['2026-11-19T08:30:00Z', '2026-11-19T08:30:00.000Z', '2026-11-19T05:30:00-03:00'])
    expect(fingerprintOf('a', { unit, ...rest, collected_at })).toBe(fingerprintOf('a', record));
});

test('another person, time or value has another fingerprint', () => {
  const others = [
    { value: 93 },
    { collected_at: '2026-11-19T08:30:01Z' },
    { collected_at: '2026-11-19' },
    { collected_at: '2026-11-18' },
    { notes: 'fasting' },
  ];
  const all = [fingerprintOf('b', record), ...others.map((other) => fingerprintOf('a', { ...record, ...other }))];
  expect(new Set([...all, fingerprintOf('a', record)]).size).toBe(7);
});
