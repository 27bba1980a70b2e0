import { expect, it } from 'vitest';
import { formatAr, formatDuration, formatExact, formatRelative } from './format.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const ago = (seconds: number) => formatRelative('en-GB', 'just now', NOON - seconds * 1_000, NOON);

it('formats a past time in the largest unit that fits', () => {
  expect([ago(0), ago(59), ago(60), ago(3_599), ago(3_600), ago(86_399), ago(86_400), ago(40 * 86_400)]).toEqual([
    'just now',
    '59 seconds ago',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
    '40 days ago',
  ]);
});

it('formats a future time as now, because clocks may disagree', () => {
  expect(ago(-90)).toBe('just now');
});

it('formats a duration', () => {
  expect([0, 1, 90, 7_200].map((seconds) => formatDuration('en-GB', seconds))).toEqual([
    '0 seconds',
    '1 second',
    '1 minute',
    '2 hours',
  ]);
});

it('formats an exact time with its zone', () => {
  expect(formatExact('en-GB', NOON, 'UTC')).toBe('20 Nov 2026, 12:00:00 UTC');
  expect(formatExact('en-GB', NOON, 'America/Sao_Paulo')).toBe('20 Nov 2026, 09:00:00 GMT-3');
});

it('formats a balance in AR, rounded down', () => {
  expect(
    ['0', '1', '999999999999', '1000000000000', '12345678901234567890123'].map((winston) => formatAr('en-GB', winston)),
  ).toEqual(['0', '0', '0.999999', '1', '12,345,678,901.234567']);
});
