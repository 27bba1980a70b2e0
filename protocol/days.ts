import { DAY_MS } from './day-ms.ts';
import { parseInstant } from './time.ts';

export { DAY_MS };

/** A calendar day, as `<input type="date">` has it: “2026-03-01”. */
export type Day = string;

/** The longest duration of a consent in days (protocol §3). */
export const MAX_CONSENT_DAYS = 36_500;

/** Whether a day exists and a request may contain its instants: it is in the years 1000 to 9999. */
export const isDay = (text: string): text is Day => FORM.test(text) && parseInstant(`${text}T00:00:00Z`) !== null;

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The midnight that begins a day in the zone of this device, some days later; null for a day that does not exist. */
function midnight(day: Day, daysLater = 0): number | null {
  const [year, month, date] = (FORM.exec(day) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  const startOf = (wanted: number): Date => {
    // The constructor reads the years 0 to 99 as 1900 to 1999.
    const start = new Date(2000, 0, 1);
    start.setFullYear(year, month - 1, wanted);
    return start;
  };
  const start = startOf(date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  // Not by adding to `start`: where the clock skips midnight it is 1 a.m., and so would the end be.
  return startOf(date + daysLater).getTime();
}

/** The first millisecond of a day in the zone of this device; null for a day that does not exist. */
export const startOfDay = (day: Day): number | null => midnight(day);

/** The last millisecond of a day in the zone of this device; null for a day that does not exist. */
export function endOfDay(day: Day): number | null {
  const next = midnight(day, 1);
  return next === null ? null : next - 1;
}

/** The day of a moment, in ms since 1970, in the zone of this device. */
export function dayOf(at: number): Day {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * The fewest days of 24 hours from now that include a day to its end, in the zone of this device. Null for an invalid day, one that
 * is not after today, or one beyond the longest consent.
 */
export function daysThrough(day: Day, now: number): number | null {
  const end = midnight(day, 1);
  if (end === null || day <= dayOf(now)) return null;
  const days = Math.ceil((end - now) / DAY_MS);
  return days <= MAX_CONSENT_DAYS ? days : null;
}

/** The end of a consent that is given now, ISO 8601; null without an end. */
export const endAfter = (days: number | null, now: number): string | null =>
  days === null ? null : new Date(now + days * DAY_MS).toISOString();

/** The instants between two days, both included, ISO 8601; a day that does not exist is no bound. */
export const periodOfDays = (from: Day, to: Day): { from: string | null; to: string | null } => ({
  from: iso(startOfDay(from)),
  to: iso(endOfDay(to)),
});

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
