import { expect, test } from 'vitest';
import type { GuardedList } from '../../client/types.ts';
import { eligibleWithout, guardedIn, stateOf } from './guarded-view.ts';

const guardianship: GuardedList['guarded'][number] = {
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
  attested_on: null,
  challenge: 'c',
  eligible_guardians: 2,
  confirmations_needed: 2,
};
const viewWith = (changes: Partial<typeof guardianship>) => {
  const [view] = guardedIn({ guarded: [{ ...guardianship, ...changes }] });
  if (!view) throw new Error('The guardianship was not parsed.');
  return view;
};

test('derives the status of a guardianship; a removal comes first', () => {
  expect(stateOf(viewWith({}))).toBe('eligible');
  expect(stateOf(viewWith({ confirmed: false, eligible: false }))).toBe('unconfirmed');
  expect(stateOf(viewWith({ eligible: false }))).toBe('off');
  expect(stateOf(viewWith({ status: 'REMOVED', eligible_until: '2026-11-23T10:00:00.000Z' }))).toBe('leaving');
});

test('counts the remaining eligible guardians after a resignation', () => {
  expect(eligibleWithout(viewWith({ eligible_guardians: 3 }))).toBe(2);
  expect(eligibleWithout(viewWith({ eligible: false, confirmed: false, eligible_guardians: 1 }))).toBe(1);
});

test('a destroyed identity has no domain', () => {
  expect(viewWith({ beo_domain: null, beo_status: 'DESTROYED' })).toMatchObject({ domain: null, locked: false });
});
