import { expect, test } from 'vitest';
import { runFuzz } from './run-fuzz.ts';

test('two hundred generated and changed requests get documented responses, in time and without a 500', async () => {
  const report = await runFuzz({ requests: 200, seed: 2, root: process.cwd() });
  // The memory still grows while the service warms up; the long test checks it.
  expect(report.failures.filter(({ route }) => route !== 'memory')).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(200);
});
