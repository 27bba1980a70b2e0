import { dayOf, isDay } from '../../../../protocol/days.ts';

/** How a file writes days in numbers; `iso`: it was not chosen, so only year-month-day is read. */
export type DateOrder = 'dayFirst' | 'monthFirst' | 'iso';

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(?:\s*([ap])\.?\s?m\.?)?`;
const GAP = '(?:[ T]+|, *)';
/** “20/11/2026 08:30” or “20/11/2026”, also with points or hyphens. */
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:${GAP}${TIME})?$`, 'i');
/** The year first, without a zone. */
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?:${GAP}${TIME})?$`, 'i');
const DAY_AND_MONTH = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}(?!\d)/;

/**
 * A day, or a time without a zone in `zone` as ISO 8601 with the offset; any other text as it is. A time that does not exist in the
 * zone, or that exists twice, stays as it is.
 */
export function withZone(text: string, order: DateOrder, zone: string): string {
  const parts = partsOf(text.trim(), order);
  if (!parts) return text;
  const { year, month, day, time } = parts;
  const written = `${year}-${two(month)}-${two(day)}`;
  if (!isDay(written)) return text;
  if (time === null) return written;
  const clock = `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;
  if (time.hour > 23 || time.minute > 59 || time.second > 59) return text;
  const offset = offsetAt(Date.parse(`${written}T${clock}Z`), zone);
  return offset === null ? text : `${written}T${clock}${offsetText(offset)}`;
}

interface Time {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}
interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Null for a day alone. */
  readonly time: Time | null;
}

function partsOf(text: string, order: DateOrder): Parts | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return parts(yearFirst[1], yearFirst[3], yearFirst[4], yearFirst.slice(5));
  const found = order === 'iso' ? null : NUMBERS.exec(text);
  if (!found) return null;
  const [first, second] = [found[1], found[3]];
  return order === 'dayFirst'
    ? parts(found[4], second, first, found.slice(5))
    : parts(found[4], first, second, found.slice(5));
}

type Text = string | undefined;

function parts(year: Text, month: Text, day: Text, [hour, minute, second, half]: readonly Text[]): Parts | null {
  const whole = { year: Number(year), month: Number(month), day: Number(day) };
  if (hour === undefined) return { ...whole, time: null };
  const written = Number(hour);
  // 12-hour times: 12 AM is midnight, 12 PM is noon.
  if (half !== undefined && (written < 1 || written > 12)) return null;
  const hours = half === undefined ? written : (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return { ...whole, time: { hour: hours, minute: Number(minute), second: Number(second ?? 0) } };
}

const HALF_DAY_MS = 12 * 3_600_000;

/** The offset of a zone in ms at a wall-clock time, given as if it were UTC; null where that time does not exist, or exists twice. */
function offsetAt(wall: number, zone: string): number | null {
  const candidates = new Set([offsetOf(wall - HALF_DAY_MS, zone), offsetOf(wall + HALF_DAY_MS, zone)]);
  const valid = [...candidates].filter((offset) => offsetOf(wall - offset, zone) === offset);
  const [only] = valid;
  return valid.length === 1 && only !== undefined ? only : null;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
const CLOCK_FORM = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

const DAY_MS = 24 * 3_600_000;
/** The offset of a zone through a whole day of UTC, by zone and day; null where it changes. A file has many times of few days. */
const offsetsOfDays = new Map<string, number | null>();

/** How far a zone is ahead of UTC at a moment, in ms. */
function offsetOf(at: number, zone: string): number {
  const day = Math.floor(at / DAY_MS);
  const key = `${zone} ${day}`;
  let whole = offsetsOfDays.get(key);
  if (whole === undefined) {
    const [first, last] = [readOffset(day * DAY_MS, zone), readOffset((day + 1) * DAY_MS, zone)];
    whole = first === last ? first : null;
    offsetsOfDays.set(key, whole);
  }
  return whole ?? readOffset(at, zone);
}

function readOffset(at: number, zone: string): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...CLOCK_FORM, hourCycle: 'h23', timeZone: zone });
  clocks.set(zone, clock);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (clock.format(at).match(/\d+/g) ?? []).map(
    Number,
  );
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/** The order that the days of a file prove: a number above 12 is no month. `iso` where they prove none or several. */
export function provenOrder(texts: readonly string[]): DateOrder {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const text of texts) {
    const [, first, second] = DAY_AND_MONTH.exec(text) ?? [];
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  if (isDayFirst === isMonthFirst) return 'iso';
  return isDayFirst ? 'dayFirst' : 'monthFirst';
}

/** Whether a text is a day in the numbers of a country, so that their order must be known. */
export const needsOrder = (text: string): boolean => DAY_AND_MONTH.test(text);

/** Whether a text is a time without a zone. */
export const needsZone = (text: string): boolean => {
  const found = YEAR_FIRST.exec(text.trim()) ?? NUMBERS.exec(text.trim());
  return found !== null && found[5] !== undefined;
};

const two = (number: number): string => String(number).padStart(2, '0');

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Whether a text is ISO 8601 with the day and the minute that this device shows for a moment. */
export function showsTime(text: string, at: number): boolean {
  const shown = new Date(at);
  const time = `${two(shown.getHours())}:${two(shown.getMinutes())}`;
  return text
    .trim()
    .replace(' ', 'T')
    .startsWith(`${dayOf(at)}T${time}`);
}
