import type { RecordFilter } from './record-filter.ts';

export const PERIODS = ['always', 'year', 'quarter', 'month', 'between'] as const;
export type Period = (typeof PERIODS)[number];

const MONTHS: Readonly<Record<Exclude<Period, 'always' | 'between'>, number>> = { year: 12, quarter: 3, month: 1 };

/** The start of a period that ends now, in ms since 1970: the start of its first day in the reader's zone. Null for always. */
export function startOfPeriod(period: Exclude<Period, 'between'>, now: number): number | null {
  if (period === 'always') return null;
  const today = new Date(now);
  const start = new Date(today.getFullYear(), today.getMonth() - MONTHS[period], today.getDate());
  // A shorter month does not have this day: its last day is used.
  if (start.getDate() !== today.getDate()) start.setDate(0);
  return start.getTime();
}

/** The period of a filter; `between` if its days match no other period. */
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

/** The first millisecond of a day “2026-11-21” in the reader's zone; null for an invalid day. */
export const startOfDay = (text: string): number | null => dateOf(text)?.getTime() ?? null;

/** The last millisecond of a day. */
export function endOfDay(text: string): number | null {
  return dateOf(text)?.setHours(23, 59, 59, 999) ?? null;
}

/** “2026-11-21” in the reader's zone; empty for null. */
export function dayAsText(at: number | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
