import { expect, test } from 'vitest';
import { runFuzz } from './run-fuzz.ts';

test('fifteen hundred generated and changed requests get documented responses, in time and without a 500', async () => {
  const report = await runFuzz({ requests: 1_500, seed: 1, root: process.cwd() });
  expect(report.failures).toEqual([]);
  expect(report.unreached).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(1_500);
  expect(report.statuses).toMatchObject({ 200: expect.any(Number), 201: expect.any(Number), 400: expect.any(Number) });
});
