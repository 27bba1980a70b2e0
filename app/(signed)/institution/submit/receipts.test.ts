import { expect, test } from 'vitest';
import { receiptsFileName } from './receipts.ts';
import type { Batch } from './use-submission-sending.ts';

test('a file of receipts is named after the institution, the time and its first entry', () => {
  const batches = [
    { state: { kind: 'refused' } },
    { state: { kind: 'acceptedUnseen', transactionId: 'AbCdEfGhIjKl' } },
  ] as unknown as readonly Batch[];
  expect(receiptsFileName('clinic.bsp', batches, new Date(2026, 10, 3, 4, 5))).toBe(
    'perpetua-receipts-clinic.bsp-2026-11-03-0405-AbCdEfGh.json',
  );
});
