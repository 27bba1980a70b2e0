import { expect, test } from 'vitest';
import { visitsAt } from './last-visit.ts';

const MINUTE = 60_000;

test('visits less than half an hour apart count as one', () => {
  const first = visitsAt(0, null);
  expect(first.before).toBeNull();
  const reloaded = visitsAt(10 * MINUTE, first);
  expect(reloaded.before).toBeNull();
  const next = visitsAt(60 * MINUTE, reloaded);
  expect(next.before).toBe(10 * MINUTE);
  expect(visitsAt(89 * MINUTE, next).before).toBe(10 * MINUTE);
});
