import { describe, expect, test } from 'vitest';
import { type Failing, retryAt } from './retry-plan.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

/** The times of all attempts in ms after the first one, for a receiver that fails from START on. */
function attempts(random: number, retryAfter: number | null = null): number[] {
  const times: number[] = [];
  for (let now: number | null = START; now !== null; ) {
    times.push(now - START);
    const failing: Failing = { failures: times.length, since: START, now, retryAfter };
    now = retryAt(failing, random);
  }
  return times;
}

describe('the retries of a receiver that fails', () => {
  test('are after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, then every 10 h, and at the end of three days', () => {
    const times = attempts(0);
    const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(delays.slice(0, -1)).toEqual(
      [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 10, 10, 10, 10, 10].map((hours) => Math.round(hours * HOUR)),
    );
    expect(times.at(-1)).toBe(72 * HOUR);
  });

  test('are later by up to a tenth, at random, and never earlier', () => {
    expect(attempts(1)[1]).toBe(5_500);
    expect(attempts(0.5)[2]).toBe(5_250 + 315_000);
    expect(attempts(1).at(-1)).toBe(72 * HOUR);
  });

  test('wait as long as the receiver asks, but at most 10 hours', () => {
    expect(attempts(0, 60).slice(0, 3)).toEqual([0, 60_000, 360_000]);
    expect(attempts(0, 999_999_999)[1]).toBe(10 * HOUR);
  });
});
