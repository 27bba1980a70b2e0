import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { downsample } from './downsample.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('downsample', () => {
  test('keeps every point if there are few', () => {
    expect(downsample([1, 2, 3], [5, 4, 6], 100)).toEqual([0, 1, 2]);
    expect(downsample([], [], 100)).toEqual([]);
  });

  test('keeps every point if all have the same time', () => {
    expect(downsample([7, 7, 7, 7, 7, 7], upTo(6), 1)).toEqual(upTo(6));
  });

  test('keeps a single peak among ten thousand points', () => {
    const ys = upTo(10_000).map((index) => (index === 4_321 ? 99 : 1));
    const kept = downsample(upTo(10_000), ys, 300);
    expect(kept).toContain(4_321);
    expect(kept.length).toBeLessThanOrEqual(300 * 4);
  });

  test('keeps the first, last, lowest and highest point in order, for any points and width', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer()), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 50 }), (samples, columns) => {
        const sorted = samples.toSorted(([one], [other]) => one - other);
        const [xs, ys] = [sorted.map(([x]) => x), sorted.map(([, y]) => y)];
        const kept = downsample(xs, ys, columns);
        const shown = kept.map((index) => ys[index] ?? 0);
        expect(kept).toEqual([...new Set(kept)].sort((one, other) => one - other));
        expect([kept[0], kept.at(-1)]).toEqual([0, xs.length - 1]);
        expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...ys), Math.max(...ys)]);
      }),
    );
  });
});
