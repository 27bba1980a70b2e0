import { dateFormat } from '../_i18n/formats.ts';

/** “UTC-3”: the offset of a zone at a moment; `timeZone` undefined is the reader's own. */
export function offsetName(at: number, timeZone?: string): string {
  const parts = dateFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC').replace('GMT', 'UTC').replace(/\+0$/, '');
}

const HALF_YEAR_MS = 182 * 24 * 3_600_000;

/** The zone of many times: its offset if that does not change with the season, else its name, such as “New York”. */
export function zoneName(now: number, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const offset = offsetName(now, timeZone);
  if (offset === offsetName(now - HALF_YEAR_MS, timeZone)) return offset;
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}
