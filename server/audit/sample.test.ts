import { expect, test } from 'vitest';
import { possibleTimes } from './compare-api.ts';
import { createDeadlines } from './deadlines.ts';
import { createMultimap } from './multimap.ts';
import { divide } from './sample.ts';

test('a sample is divided evenly; the other kinds take what one kind cannot fill', () => {
  expect(divide(50, [1_000, 1_000, 1_000])).toEqual([17, 17, 16]);
  expect(divide(50, [1_000, 0, 4])).toEqual([46, 0, 4]);
  expect(divide(50, [3, 2, 1])).toEqual([3, 2, 1]);
  expect(divide(0, [3, 2, 1])).toEqual([0, 0, 0]);
});

test('a multimap returns no, one or several ids', () => {
  const groups = createMultimap();
  groups.add('anna', 'one');
  groups.add('anna', 'one');
  expect(groups.of('anna')).toEqual(['one']);
  groups.add('anna', 'two');
  groups.remove('anna', 'three');
  expect(groups.of('anna')).toEqual(['one', 'two']);
  groups.remove('anna', 'one');
  groups.remove('anna', 'two');
  groups.remove('bert', 'one');
  expect([groups.of('anna'), groups.of('bert')]).toEqual([[], []]);
});

test('each deadline is yielded once, in order', () => {
  const deadlines = createDeadlines();
  for (let until = 1; until <= 5_000; until += 1) deadlines.add({ id: `id ${until}`, until });
  expect([...deadlines.passed(0)]).toEqual([]);
  expect([...deadlines.passed(3_000)].map(({ until }) => until)).toEqual(
    Array.from({ length: 3_000 }, (_, n) => n + 1),
  );
  expect([...deadlines.passed(3_000)]).toEqual([]);
  expect([...deadlines.passed(3_001)]).toEqual([{ id: 'id 3001', until: 3_001 }]);
});

test('the possible times of a service’s clock include every time at which the response changes', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  const ends = ['2026-01-31T11:57:00.000Z', '2026-01-31T11:59:00.000Z', '2026-01-31T12:01:00.000Z'];
  const times = possibleTimes(now, [...ends, '2026-02-03T12:00:00.000Z']);
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-01-31T11:58:00.000Z',
    '2026-01-31T11:59:00.000Z',
    '2026-01-31T12:01:00.000Z',
  ]);
});
