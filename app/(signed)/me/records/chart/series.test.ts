import { expect, test } from 'vitest';
import { bioRecord } from '../test-records.ts';
import { extremesOf, seriesOf } from './series.ts';

const on = (day: string) => `2026-${day}T08:00:00.000Z`;

test('units never share an axis; the one with most values comes first', () => {
  const records = [
    bioRecord({ value: 100, unit: 'nmol/L', collected_at: on('03-01') }),
    bioRecord({ value: 40, collected_at: on('02-01') }),
    bioRecord({ value: '30.0', collected_at: on('01-01') }),
  ];
  expect(
    seriesOf(records).map(({ unit, guardiansStatus }) => [unit, guardiansStatus.map(({ value }) => value)]),
  ).toEqual([
    ['ng/mL', [30, 40]],
    ['nmol/L', [100]],
  ]);
});

test('superseded values are apart from those that stand', () => {
  const records = [bioRecord({ value: 400, status: 'SUPERSEDED' }), bioRecord({ value: 40 })];
  expect(seriesOf(records)).toMatchObject([{ guardiansStatus: [{ value: 40 }], superseded: [{ value: 400 }] }]);
});

test('what is no number is in no chart', () => {
  expect(seriesOf([bioRecord({ value: 'negative' }), bioRecord({ value: { ALT: 30 } })])).toEqual([]);
});

test('the lowest, the highest, the first and the latest are found', () => {
  const values = [5, 1, 9, 4];
  const records = values.map((value, index) => bioRecord({ value, collected_at: on(`0${index + 1}-01`) }));
  const found = extremesOf(seriesOf(records)[0]?.guardiansStatus ?? []);
  expect(Object.values(found ?? {}).map(({ value }) => value)).toEqual([1, 9, 5, 4]);
  expect(extremesOf([])).toBeNull();
});
