import type { RecordFilter } from './every-record.ts';

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
