import { dateFormat, numberFormat, relativeTimeFormat, SHORT_DAY, TIME } from '../_i18n/formats.ts';

const WINSTON_DIGITS = 12;

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export const formatNumber = (locale: string, value: number): string => numberFormat(locale, {}).format(value);

/** "3 minutes ago"; `justNow` for the last seconds, and for times in the future because two clocks differ. */
export function formatRelative(locale: string, justNow: string, at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1_000);
  const [unit, size] = largestUnit(seconds);
  if (seconds < 5) return justNow;
  return relativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}

/** "3 minutes", rounded down. */
export function formatDuration(locale: string, seconds: number): string {
  const [unit, size] = largestUnit(seconds);
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / size));
}

/** "20 Nov 2026, 14:03:20 UTC"; `timeZone` undefined is the reader's own. */
export const formatExact = (locale: string, at: number, timeZone: string | undefined): string =>
  dateFormat(locale, {
    ...SHORT_DAY,
    ...TIME,
    second: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at);

/** An amount of winston (10⁻¹² AR) as AR with at most six decimals, rounded down: a balance is never shown larger than it is. */
export function formatAr(locale: string, winston: string): string {
  const digits = winston.padStart(WINSTON_DIGITS + 1, '0');
  const amount = `${digits.slice(0, -WINSTON_DIGITS)}.${digits.slice(-WINSTON_DIGITS)}` as `${number}`;
  return numberFormat(locale, { maximumFractionDigits: 6, roundingMode: 'trunc' }).format(amount);
}

/** A label that begins with a capital letter, where CSS cannot do that: in the options of a select. */
export const capitalized = (locale: string, label: string): string =>
  label.charAt(0).toLocaleUpperCase(locale) + label.slice(1);

function largestUnit(seconds: number): (typeof UNITS)[number] {
  return UNITS.find(([, size]) => seconds >= size) ?? UNITS[3];
}
