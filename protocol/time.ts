export const MAX_AGE_MS = 5 * 60_000;
export const MAX_AHEAD_MS = 30_000;
/** How long nonces are kept: longer than a signed request is valid. Protocol §1 requires at least 10 minutes. */
export const NONCE_RETENTION_MS = 15 * 60_000;

/** ISO 8601 date-time with a zone; the date may not exist. */
export const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/;

/** The messages for a value that is not a point in time as a request may contain it. */
export const INSTANT_PROBLEMS = {
  moment: 'must be an ISO 8601 date and time',
  time: 'must be an ISO 8601 date and time with a zone, from the year 1000 on',
} as const;

/** Milliseconds since 1970 of an ISO 8601 date-time with a zone; null for anything else, including dates that do not exist. */
export function parseTimestamp(text: string): number | null {
  const parts = DATE_TIME.exec(text);
  if (!parts) return null;
  const number = (part: number): number => Number(parts[part] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  const fraction = parts[7] === undefined ? 0 : Math.floor(Number(`0.${parts[7]}`) * 1000);
  const offset = zoneOffset(parts[8] ?? 'Z');
  const exists = dayExists(year, month, day) && hour < 24 && minute < 60 && second < 60;
  return exists && offset !== null ? utc(year, month, day, hour, minute, second, fraction) - offset : null;
}

/** Milliseconds since 1970, or null. Earlier years are rejected: databases and languages interpret them differently. */
export function parseInstant(text: string): number | null {
  const time = parseTimestamp(text);
  return time !== null && time >= YEAR_1000 && time < YEAR_10000 ? time : null;
}

const YEAR_1000 = Date.UTC(1000, 0);
const YEAR_10000 = Date.UTC(10_000, 0);

const FOUR_CENTURIES_MS = 146_097 * 24 * 3_600_000;

/** Date.UTC reads the years 0 to 99 as 1900 to 1999. Adding 400 years avoids it: the calendar repeats every 400 years. */
const utc = (year: number, month: number, ...rest: [day: number, ...time: number[]]): number =>
  Date.UTC(year + 400, month - 1, ...rest) - FOUR_CENTURIES_MS;

const dayExists = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= new Date(utc(year, month + 1, 0)).getUTCDate());

function zoneOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
