import { dateFormat, SHORT_DAY, TIME } from '../_i18n/formats.ts';

/** "20 Nov 2026, 14:03:20" in UTC, for a column whose header names the zone. `at` is ISO 8601. */
export const utcTime = (locale: string, at: string): string =>
  dateFormat(locale, { ...SHORT_DAY, ...TIME, second: '2-digit', timeZone: 'UTC' }).format(Date.parse(at));
