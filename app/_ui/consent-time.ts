import { DAY_MS } from '../../protocol/day-ms.ts';

/** Between a day and 14 days before its end, a consent ends soon. */
const MIN_SOON_MS = DAY_MS;
const MAX_SOON_MS = 14 * DAY_MS;

/** The start and the end of a consent, ISO 8601; `expires_at` is null for one without an end. */
export interface ConsentTime {
  readonly granted_at: string;
  readonly expires_at: string | null;
}

/** Whether an active consent is in the last tenth of its life, counted as at least a day and at most 14 days. `now` in ms. */
export function endsSoon({ granted_at, expires_at }: ConsentTime, now: number): boolean {
  if (expires_at === null) return false;
  const end = Date.parse(expires_at);
  const tenth = (end - Date.parse(granted_at)) / 10;
  return end - now <= Math.min(Math.max(tenth, MIN_SOON_MS), MAX_SOON_MS);
}

/** The share of the life of a consent that is left, from 0 to 1; null without an end. */
export function shareLeft({ granted_at, expires_at }: ConsentTime, now: number): number | null {
  if (expires_at === null) return null;
  const [start, end] = [Date.parse(granted_at), Date.parse(expires_at)];
  return end <= start ? 0 : Math.min(Math.max((end - now) / (end - start), 0), 1);
}

/** The days until the end, rounded; 0 for less than half a day. */
export const daysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.round((Date.parse(expiresAt) - now) / DAY_MS));
