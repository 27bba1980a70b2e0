import { expect, test } from 'vitest';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { usableConsents } from './usable-consents.ts';

const ALL = { intents: ['READ_RECORDS'], categories: ['*'], levels: [], period: null, max_records: null };

const consent = (id: string, scope: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  ({
    token_id: id,
    beo_id: 'me',
    ieo_id: 'lab',
    status: 'ACTIVE',
    scope: { ...ALL, ...scope },
    ...more,
  }) as unknown as TokenView;

const usable = (consents: readonly TokenView[], intent: 'READ_RECORDS' | 'EXPORT_DATA' = 'READ_RECORDS') => {
  const { tokens, coverEverything } = usableConsents(intent, consents);
  return [coverEverything, ...tokens.map(({ token_id }) => token_id)];
};

const own = consent('own', {}, { ieo_id: 'me' });
const some = consent('some', { categories: ['BSP-CV'] });

test('one consent that covers everything is enough, the own one first', () => {
  expect(usable([some, consent('all'), own])).toEqual([true, 'own']);
  expect(usable([some, consent('all')])).toEqual([true, 'all']);
});

test('otherwise all that allow the intent are used', () => {
  const limited = consent('limited', { max_records: 5 });
  const period = consent('period', { period: { from: '2026-01-01T00:00:00.000Z', to: null } });
  const adds = consent('adds', { intents: ['SUBMIT_RECORD'] });
  expect(usable([some, limited, period, adds])).toEqual([false, 'some', 'limited', 'period']);
  expect(usable([some], 'EXPORT_DATA')).toEqual([false]);
});

test('ended consents are not used', () => {
  expect(
    usable([consent('withdrawn', {}, { status: 'REVOKED' }), consent('expired', {}, { status: 'EXPIRED' })]),
  ).toEqual([false]);
});
