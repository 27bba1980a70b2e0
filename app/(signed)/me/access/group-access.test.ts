import { expect, test } from 'vitest';
import { type AccessEvent, groupAccess } from './group-access.ts';

const event = (at: string, more: Partial<AccessEvent> = {}): AccessEvent => ({
  at,
  kind: 'read',
  token_id: 'tok_1',
  grantee_id: 'clinic',
  grantee_domain: 'clinic.bsp',
  records: 10,
  ...more,
});

const groupBy = (events: readonly AccessEvent[], zone = 'UTC') =>
  groupAccess(events, zone).map(({ day, uses }) => [
    day,
    ...uses.map(
      ({ granteeDomain, kind, format, tokenId, records, events: { length } }) =>
        `${granteeDomain} ${kind} ${format ?? ''} ${tokenId} ${records} in ${length}`,
    ),
  ]);

test('groups by day, the newest first, and within a day by grantee in the order of the latest use', () => {
  const events = [
    event('2026-11-20T09:00:00.000Z'),
    event('2026-11-21T08:00:00.000Z'),
    event('2026-11-21T09:00:00.000Z', { grantee_id: 'me', grantee_domain: 'me.bsp' }),
    event('2026-11-21T10:00:00.000Z'),
  ];
  expect(groupBy(events)).toEqual([
    ['2026-11-21', 'clinic.bsp read  tok_1 20 in 2', 'me.bsp read  tok_1 10 in 1'],
    ['2026-11-20', 'clinic.bsp read  tok_1 10 in 1'],
  ]);
});

test('groups events of the same kind, consent and format', () => {
  const events = [
    event('2026-11-21T09:00:00.000Z'),
    event('2026-11-21T09:00:01.000Z', { records: 5 }),
    event('2026-11-21T09:00:02.000Z', { token_id: 'tok_2' }),
    event('2026-11-21T09:00:03.000Z', { kind: 'export', format: 'CSV' }),
    event('2026-11-21T09:00:04.000Z', { kind: 'export', format: 'JSON' }),
  ];
  expect(groupBy(events)).toEqual([
    [
      '2026-11-21',
      'clinic.bsp export JSON tok_1 10 in 1',
      'clinic.bsp export CSV tok_1 10 in 1',
      'clinic.bsp read  tok_2 10 in 1',
      'clinic.bsp read  tok_1 15 in 2',
    ],
  ]);
});

test('begins a day at midnight in the given zone', () => {
  const events = [event('2026-11-21T02:00:00.000Z')];
  expect(groupBy(events, 'America/Sao_Paulo')[0]?.[0]).toBe('2026-11-20');
  expect(groupBy(events, 'Asia/Tokyo')[0]?.[0]).toBe('2026-11-21');
});

test('returns no days without events', () => {
  expect(groupAccess([])).toEqual([]);
});
