import { expect, test } from 'vitest';
import { bioRecord } from '../../../../_ui/records/test-records.ts';
import { extremesOf, seriesOf } from './series.ts';

const on = (day: string) => `2026-${day}T08:00:00.000Z`;

test('has one series per unit, the one with the most values first', () => {
  const records = [
    bioRecord({ value: 100, unit: 'points', collected_at: on('03-01') }),
    bioRecord({ value: 40, collected_at: on('02-01') }),
    bioRecord({ value: '30.0', collected_at: on('01-01') }),
  ];
  expect(seriesOf(records).map(({ unit, current }) => [unit, current.map(({ value }) => value)])).toEqual([
    ['ng/mL', [30, 40]],
    ['points', [100]],
  ]);
});

test('separates superseded values from current ones', () => {
  const records = [bioRecord({ value: 400, status: 'SUPERSEDED' }), bioRecord({ value: 40 })];
  expect(seriesOf(records)).toMatchObject([{ current: [{ value: 40 }], superseded: [{ value: 400 }] }]);
});

test('leaves out values that are not numbers', () => {
  expect(seriesOf([bioRecord({ value: 'negative' }), bioRecord({ value: { ALT: 30 } })])).toEqual([]);
});

test('extremesOf returns the lowest and the highest point', () => {
  const values = [5, 1, 9, 4];
  const records = values.map((value, index) => bioRecord({ value, collected_at: on(`0${index + 1}-01`) }));
  const found = extremesOf(seriesOf(records)[0]?.current ?? []);
  expect(Object.values(found ?? {}).map(({ value }) => value)).toEqual([1, 9]);
  expect(extremesOf([])).toBeNull();
});

test('draws values in other spellings and convertible units together, in the unit of the latest', () => {
  const records = [
    bioRecord({ value: 40, unit: 'ng/mL', collected_at: on('01-01') }),
    bioRecord({ value: 35, unit: 'ng/ml', collected_at: on('02-01') }),
    bioRecord({ value: 0.05, unit: '\u03bcg/mL', collected_at: on('03-01') }),
  ];
  expect(seriesOf(records).map(({ unit, current }) => [unit, current.map(({ value }) => value)])).toEqual([
    ['\u03bcg/mL', [0.04, 0.035, 0.05]],
  ]);
});

test('the latest of a series is the newest current record, also where it cannot be drawn', () => {
  const drawn = bioRecord({ value: 9, unit: 'mg/L', collected_at: on('01-01') });
  const below = bioRecord({ value: '<0.5', unit: 'mg/l', collected_at: on('03-01') });
  const [series] = seriesOf([
    below,
    drawn,
    bioRecord({ value: 3, unit: 'mg/L', collected_at: on('04-01'), status: 'SUPERSEDED' }),
  ]);
  expect(series).toMatchObject({ latest: below, undrawn: [{ record: below }], current: [{ record: drawn }] });
  expect(extremesOf([...(series?.current ?? []), ...(series?.limits ?? [])])).toMatchObject({
    lowest: { record: below },
    highest: { record: drawn },
  });
});
