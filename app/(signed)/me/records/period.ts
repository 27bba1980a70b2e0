import type { RecordFilter } from './record-filter.ts';

export const PERIODS = ['always', 'year', 'quarter', 'month', 'between'] as const;
export type Period = (typeof PERIODS)[number];

const MONTHS: Readonly<Record<Exclude<Period, 'always' | 'between'>, number>> = { year: 12, quarter: 3, month: 1 };

/** When a period that ends now began, in ms since 1970, at the beginning of that day where the reader is. Null: always. */
export function startOfPeriod(period: Exclude<Period, 'between'>, now: number): number | null {
  if (period === 'always') return null;
  const today = new Date(now);
  const start = new Date(today.getFullYear(), today.getMonth() - MONTHS[period], today.getDate());
  // A month that is shorter has no such day: its last one is meant.
  if (start.getDate() !== today.getDate()) start.setDate(0);
  return start.getTime();
}

/** The period that a filter was made from, or the days it lies between. */
export function periodOf({ from, to }: RecordFilter, now = Date.now()): Period {
  if (from === null && to === null) return 'always';
  const same = PERIODS.find((period) => period !== 'between' && to === null && startOfPeriod(period, now) === from);
  return same ?? 'between';
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

function dateOf(text: string): Date | null {
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = new Date(2000, month - 1, day);
  date.setFullYear(year);
  return date;
}

/** The first millisecond of a day “2026-11-21” where the reader is; null for what is no day. */
export const startOfDay = (text: string): number | null => dateOf(text)?.getTime() ?? null;

/** The last millisecond of it. */
export function endOfDay(text: string): number | null {
  return dateOf(text)?.setHours(23, 59, 59, 999) ?? null;
}

/** “2026-11-21” where the reader is; empty for null. */
export function dayAsText(at: number | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
