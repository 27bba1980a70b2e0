import { expect, test } from 'vitest';
import { runFuzz } from './run-fuzz.ts';

test('two hundred generated and changed requests get documented responses, in time and without a 500', async () => {
  const report = await runFuzz({ requests: 200, seed: 2, root: process.cwd() });
  expect(report.failures).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(200);
});
