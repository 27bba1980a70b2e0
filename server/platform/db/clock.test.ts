import { afterEach, expect, test, vi } from 'vitest';
import { createClock } from './clock.ts';

afterEach(() => vi.restoreAllMocks());

test.each([86_400_000, -86_400_000])('a step of the machine’s time by %i ms does not move the clock', (step) => {
  const real = Date.now;
  let stepped = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + stepped);
  const clock = createClock();
  clock.observe(1_800_000_000_000);
  stepped = step;
  expect(Math.abs(clock.now() - 1_800_000_000_000)).toBeLessThan(60_000);
});
