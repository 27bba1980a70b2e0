/** A day as the value of `<input type="date">`: “2026-03-01”. */
export type Day = string;

const DAY_MS = 24 * 3_600_000;
const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The longest duration of a consent in days (protocol §3). */
export const MOST_DAYS = 36_500;

/** The start of a day in the zone of this device, in ms; null for an invalid day. */
export function startOf(day: Day): number | null {
  const [year, month, date] = (FORM.exec(day) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date);
  return start.getFullYear() === year && start.getMonth() === month - 1 && start.getDate() === date
    ? start.getTime()
    : null;
}

/** The last millisecond of a day in the zone of this device. */
export function endOf(day: Day): number | null {
  const start = startOf(day);
  if (start === null) return null;
  const first = new Date(start);
  return new Date(first.getFullYear(), first.getMonth(), first.getDate() + 1).getTime() - 1;
}

/** The day of a moment in the zone of this device. */
export function dayOf(at: number): Day {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The days from now until a day; null for an invalid day, one that is not after today, or one too far away. */
export function daysUntil(day: Day, now: number): number | null {
  const [then, today] = [day, dayOf(now)].map((each) => (startOf(each) === null ? Number.NaN : Date.parse(each)));
  const days = Math.round(((then ?? Number.NaN) - (today ?? Number.NaN)) / DAY_MS);
  return days >= 1 && days <= MOST_DAYS ? days : null;
}

/** The end of a consent that is given now, ISO 8601; null without an end. */
export const endAfter = (days: number | null, now: number): string | null =>
  days === null ? null : new Date(now + days * DAY_MS).toISOString();

/** The period of a scope from days, both included; null where neither is given. */
export function periodOf(from: Day, to: Day): { from: string | null; to: string | null } | null {
  const [start, end] = [startOf(from), endOf(to)];
  if (start === null && end === null) return null;
  return { from: iso(start), to: iso(end) };
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
