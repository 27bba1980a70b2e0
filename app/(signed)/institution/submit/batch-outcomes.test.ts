import { expect, test } from 'vitest';
import { fingerprintOf } from '../../../_keys/sent-records.ts';
import { outcomesOf } from './batch-outcomes.ts';
import type { Batch } from './use-submission-sending.ts';

const batch = (kind: Batch['state']['kind'], ...values: readonly number[]) => {
  const consent = { beo_id: 'ada' };
  return {
    consent,
    items: values.map((value) => ({ record: { value }, consent })),
    state: { kind },
  } as unknown as Batch;
};
const records = (...values: readonly number[]) => values.map((value) => fingerprintOf('ada', { value }));

test('a batch on its way may have been accepted, like one without response; one that waits was not', () => {
  const batches = [
    batch('accepted', 1, 2),
    batch('acceptedUnseen', 3),
    batch('refused', 4),
    batch('unknown', 5),
    batch('now', 6),
    batch('waiting', 7, 8),
  ];
  expect(outcomesOf(batches)).toEqual({ accepted: records(1, 2, 3), failed: records(4, 7, 8), unknown: records(5, 6) });
});
