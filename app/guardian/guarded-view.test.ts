import { expect, test } from 'vitest';
import { guardedIn, leftWithout, stateOf } from './guarded-view.ts';

const answered = {
  beo_id: 'a',
  beo_domain: 'fernhill.bsp',
  beo_status: 'ACTIVE',
  guardian_id: 'g',
  role: 'secondary',
  status: 'ACTIVE',
  confirmed: true,
  eligible: true,
  eligible_until: null,
  accepted_at: '2026-11-20T10:00:00.000Z',
  eligible_guardians: 2,
  confirmations_needed: 2,
};
const one = (changes: Partial<Record<keyof typeof answered, string | boolean | number | null>>) => {
  const [read] = guardedIn({ guarded: [{ ...answered, ...changes }] });
  if (!read) throw new Error('One was answered.');
  return read;
};

test('what a guardian can do follows from the answer, a removal before all else', () => {
  expect(stateOf(one({}))).toBe('eligible');
  expect(stateOf(one({ confirmed: false, eligible: false }))).toBe('unconfirmed');
  expect(stateOf(one({ eligible: false }))).toBe('off');
  expect(stateOf(one({ status: 'REMOVED', eligible_until: '2026-11-23T10:00:00.000Z' }))).toBe('leaving');
});

test('whoever resigns is one fewer only where they could help', () => {
  expect(leftWithout(one({ eligible_guardians: 3 }))).toBe(2);
  expect(leftWithout(one({ eligible: false, confirmed: false, eligible_guardians: 1 }))).toBe(1);
});

test('a destroyed identity has no domain, and an answer without a list is empty', () => {
  expect(one({ beo_domain: null, beo_status: 'DESTROYED' })).toMatchObject({ domain: null, locked: false });
  expect(guardedIn({})).toEqual([]);
  expect(guardedIn(null)).toEqual([]);
});
