import { expect, test } from 'vitest';
import { lateAfterSeconds } from './readiness.ts';

test.each([
  ['3 seconds', 3_000, 30],
  ['an hour', 3_600_000, 36_000],
  ['six hours, of which ten times would be after the published day', 21_600_000, 54_000],
])(
  'posting is late after ten times the age of a bundle, but before MAX_POSTING_DELAY_SECONDS has passed: %s',
  (_, BUNDLE_MAX_AGE_MS, late) => {
    expect(lateAfterSeconds({ BUNDLE_MAX_AGE_MS, MAX_POSTING_DELAY_SECONDS: 86_400 })).toBe(late);
  },
);
