import { describe, expect, it } from 'vitest';
import { summariseLatencies } from './latencies.ts';

describe('percentiles by nearest rank', () => {
  it('takes the 50th, the 99th and the last of 100 values, in whatever order they came', () => {
    const values = Float64Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1);
    expect(summariseLatencies(values)).toEqual({ p50: 50, p99: 99, max: 100 });
  });

  it('shows one slow answer in a hundred and one as the p99 only when there are two', () => {
    const oneSlow = Float64Array.from({ length: 101 }, (_, index) => (index === 0 ? 900 : 1));
    const twoSlow = Float64Array.from({ length: 101 }, (_, index) => (index < 2 ? 900 : 1));
    expect(summariseLatencies(oneSlow).p99).toBe(1);
    expect(summariseLatencies(twoSlow).p99).toBe(900);
  });

  it('takes the only value for all of them', () => {
    expect(summariseLatencies(Float64Array.of(7))).toEqual({ p50: 7, p99: 7, max: 7 });
  });
});
