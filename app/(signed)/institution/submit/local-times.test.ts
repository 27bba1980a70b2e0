import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DateOrder, withZone as inZone, needsOrder, needsZone, provenOrder, showsTime } from './local-times.ts';

const withZone = (text: string, order: DateOrder) => inZone(text, order, 'America/New_York');

beforeAll(() => {
  vi.stubEnv('TZ', 'America/New_York');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

test('reads times without a zone in the zone that was chosen, in the order that was chosen', () => {
  expect(withZone('20/11/2026 08:30', 'dayFirst')).toBe('2026-11-20T08:30:00-05:00');
  expect(withZone(' 3/7/2026, 8:30:15 ', 'dayFirst')).toBe('2026-07-03T08:30:15-04:00');
  expect(withZone('3.7.2026 08:30', 'monthFirst')).toBe('2026-03-07T08:30:00-05:00');
  for (const order of ['iso', 'dayFirst', 'monthFirst'] as const)
    expect(withZone('2026-11-20 08:30', order)).toBe('2026-11-20T08:30:00-05:00');
  expect(inZone('2026-11-20T08:30', 'iso', 'America/Sao_Paulo')).toBe('2026-11-20T08:30:00-03:00');
  expect(inZone('2026-11-20T08:30', 'iso', 'Asia/Kolkata')).toBe('2026-11-20T08:30:00+05:30');
});

test('reads 12-hour times', () => {
  expect(
    ['11/20/2026 8:30 PM', '11/20/2026 8:30:15 p.m.', '11/20/2026 12:05 AM', '11/20/2026 12:05PM'].map((text) =>
      withZone(text, 'monthFirst'),
    ),
  ).toEqual([
    '2026-11-20T20:30:00-05:00',
    '2026-11-20T20:30:15-05:00',
    '2026-11-20T00:05:00-05:00',
    '2026-11-20T12:05:00-05:00',
  ]);
  expect(withZone('11/20/2026 13:30 PM', 'monthFirst')).toBe('11/20/2026 13:30 PM');
});

test('reads a date alone as a day', () => {
  expect(['20/11/2026', '20.11.2026', '2026/11/20', '2026-11-20'].map((text) => withZone(text, 'dayFirst'))).toEqual(
    Array(4).fill('2026-11-20'),
  );
});

test('keeps what is no such time', () => {
  for (const text of [
    '2026-11-20T08:30:00Z',
    '01/11/2026 01:30',
    '31/02/2026 08:30',
    '20/11-2026 08:30',
    '20/11/26 08:30',
    '20/11/2026 24:30',
    '08/03/2026 02:30',
    '',
  ])
    expect(withZone(text, 'dayFirst')).toBe(text);
  expect(withZone('20/11/2026 08:30', 'monthFirst')).toBe('20/11/2026 08:30');
  expect(withZone('20/11/2026 08:30', 'iso')).toBe('20/11/2026 08:30');
});

test('proposes an order only where the days prove it', () => {
  expect(provenOrder(['03/07/2026 08:30', '20/11/2026'])).toBe('dayFirst');
  expect(provenOrder(['03/07/2026', '11/20/2026 08:30'])).toBe('monthFirst');
  expect(provenOrder(['03/07/2026T08:30', '20/11/2026T08:30'])).toBe('dayFirst');
  expect(provenOrder(['03/07/2026 08:30'])).toBe('iso');
  expect(provenOrder(['20/11/2026', '11/20/2026'])).toBe('iso');
  expect(provenOrder(['2026-11-20T08:30:00Z'])).toBe('iso');
});

test('knows which texts need an order of days, and which a zone', () => {
  expect(['20/11/2026', '20/11/2026 08:30', '05/10/2026T08:30'].map(needsOrder)).toEqual([true, true, true]);
  expect(['2026-11-20 08:30', '2026-11-20', '05/10/20261'].map(needsOrder)).toEqual([false, false, false]);
  expect(
    ['20/11/2026', '20/11/2026 08:30', '2026-11-20 08:30', '2026-11-20', '2026-11-20T08:30:00Z', ''].map(needsZone),
  ).toEqual([false, true, true, false, false, false]);
});

test('tells whether the file shows the same time as this device', () => {
  const at = Date.parse('2026-11-20T08:30:15-05:00');
  expect(['2026-11-20T08:30:15-05:00', ' 2026-11-20 08:30'].every((text) => showsTime(text, at))).toBe(true);
  expect(['2026-11-20T13:30:15Z', '20/11/2026 08:30'].some((text) => showsTime(text, at))).toBe(false);
});
