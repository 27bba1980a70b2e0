import type { Config } from '../config.ts';
import type { Head } from './head.ts';

type Bounds = Pick<Config, 'DAILY_BYTES' | 'MAX_BACKLOG'>;

/** Beyond the day's network space, operations are accepted only while the backlog is under its bound. Protocol §6. */
export function isOverBudget(bounds: Bounds, head: Head, backlog: number, now: number): boolean {
  if (head.budgetBytes <= bounds.DAILY_BYTES || backlog < bounds.MAX_BACKLOG) return false;
  return head.budgetDay === new Date(now).toISOString().slice(0, 10);
}
