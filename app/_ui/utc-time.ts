import { dateFormat } from '../_i18n/formats.ts';

/** "20 Nov 2026, 14:03:20" in UTC, for a column whose header names the zone. `at` is ISO 8601. */
export const utcTime = (locale: string, at: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(at));
