/** Apart from days.ts, so that what only counts days does not load the reading of dates. */
export const DAY_MS = 24 * 3_600_000;
