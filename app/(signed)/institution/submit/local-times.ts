import { dayOf } from '../../../../protocol/days.ts';

/** How a file writes days: ISO 8601, or numbers in the order of a country. */
export const DATE_ORDERS = ['dayFirst', 'monthFirst', 'iso'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2}))?`;
/** “20/11/2026 08:30”, also with points or hyphens. */
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T]+|, *)${TIME}$`);
/** ISO 8601 without a zone, also with a space. */
const ISO = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})[ T]${TIME}$`);
const DAY_AND_MONTH = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}\b/;

/** A time without a zone in the zone of this device, as ISO 8601 with the offset; any other text as it is. */
export function withZone(text: string, order: DateOrder): string {
  const parts = partsOf(text.trim(), order);
  if (!parts) return text;
  const [year, month, day, hour, minute, second] = parts;
  const at = new Date(year, month - 1, day, hour, minute, second);
  const found = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()];
  // A day or an hour that does not exist would silently become another.
  if (year < 1000 || found.some((value, index) => value !== parts[index])) return text;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offsetOf(at)}`;
}

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];

function partsOf(text: string, order: DateOrder): Parts | null {
  const iso = ISO.exec(text);
  const [, year, month, day, ...time] = iso ?? [];
  if (iso) return numbers(year, month, day, ...time);
  if (order === 'iso') return null;
  const written = NUMBERS.exec(text);
  if (!written) return null;
  const [, first, , second, ofYear, ...ofDay] = written;
  return order === 'dayFirst' ? numbers(ofYear, second, first, ...ofDay) : numbers(ofYear, first, second, ...ofDay);
}

const numbers = (...texts: readonly (string | undefined)[]): Parts =>
  [0, 1, 2, 3, 4, 5].map((index) => Number(texts[index] ?? 0)) as unknown as Parts;

/** The order that the days of a file prove: a number above 12 is no month. ISO 8601 where they prove none or several. */
export function provenOrder(texts: readonly string[]): DateOrder {
  const days = texts.flatMap((text) => {
    const [, first, second] = DAY_AND_MONTH.exec(text) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  const isDayFirst = days.some(([first]) => first > 12);
  const isMonthFirst = days.some(([, second]) => second > 12);
  if (isDayFirst === isMonthFirst) return 'iso';
  return isDayFirst ? 'dayFirst' : 'monthFirst';
}

/** Whether a text is a day in numbers or a time without a zone. */
export const isLocalTime = (text: string): boolean => DAY_AND_MONTH.test(text) || ISO.test(text.trim());

const two = (number: number): string => String(number).padStart(2, '0');

function offsetOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const whole = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
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
