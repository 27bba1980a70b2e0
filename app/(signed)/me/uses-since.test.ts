import { expect, test } from 'vitest';
import { isCut, usesSince } from './uses-since.ts';

const ME = 'me';
const at = (day: number) => `2026-11-${day}T12:00:00.000Z`;
const event = (day: number, grantee_id: string) => ({
  ...({ at: at(day), kind: 'read', grantee_id, grantee_domain: null, token_id: 'tok_1', records: 1 } as const),
});
const since = Date.parse(at(20));

test('nothing is said of the time since a visit while older pages may have events of it', () => {
  const own = [event(25, ME), event(24, ME)];
  expect(usesSince({ events: own, cursor: 'older' }, since, ME)).toEqual([]);
  expect(isCut({ events: own, cursor: 'older' }, since)).toBe(true);
  expect(isCut({ events: own, cursor: null }, since)).toBe(false);
  expect(isCut({ events: [...own, event(19, ME)], cursor: 'older' }, since)).toBe(false);
});

test('uses by others are grouped by institution and kind, and earlier ones are left out', () => {
  const events = [event(25, 'clinic'), event(24, ME), event(22, 'lab'), event(21, 'clinic'), event(19, 'lab')];
  const uses = usesSince({ events, cursor: null }, since, ME);
  expect(uses.map((use) => use.map((each) => each.at))).toEqual([[at(25), at(21)], [at(22)]]);
});
