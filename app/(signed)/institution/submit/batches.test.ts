import { expect, test } from 'vitest';
import type { TokenId } from '../../../../protocol/ids.ts';
import { batchesByConsent, batchesOf } from './batches.ts';

const item = (size: number) => ({ record: { value: 'x'.repeat(size) } });

test('a batch has at most 100 records, and every record is in one batch, in order', () => {
  const items = Array.from({ length: 250 }, (_, index) => ({ record: index }));
  const batches = batchesOf(items);
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(batches.flat()).toEqual(items);
  expect(batchesOf([])).toEqual([]);
});

test('a batch is smaller than one MiB', () => {
  const batches = batchesOf(Array.from({ length: 40 }, () => item(60_000)));
  expect(batches.map(({ length }) => length)).toEqual([16, 16, 8]);
  for (const batch of batches) expect(JSON.stringify(batch.map(({ record }) => record)).length).toBeLessThan(1_048_576);
  expect(batchesOf([{ record: 'µ'.repeat(600_000) }, item(1)]).map(({ length }) => length)).toEqual([1, 1]);
});

test('keeps the records of each consent together', () => {
  const item = (row: number, id: string) => ({ row, record: {}, consent: { token_id: id as TokenId } });
  const items = [item(2, 'tok_a'), item(3, 'tok_b'), item(4, 'tok_a')];
  expect(batchesByConsent(items).map((batch) => batch.map(({ row }) => row))).toEqual([[2, 4], [3]]);
});
