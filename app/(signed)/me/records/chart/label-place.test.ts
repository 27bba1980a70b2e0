import { expect, test } from 'vitest';
import { freeLeft } from './label-place.ts';

const LABEL = { top: 10, width: 80, height: 18 };
const PLOT = { left: 50, width: 400 };
const placed = (...points: (readonly [number, number])[]) => freeLeft(LABEL, PLOT, points, 9);

test('a label is at the left, unless a point would cover it', () => {
  expect(placed()).toBe(50);
  expect(placed([60, 60], [200, 15])).toBe(50);
  expect(placed([60, 15])).toBe(370);
  expect(placed([45, 32])).toBe(370);
  expect(placed([60, 15], [440, 20])).toBe(210);
});

test('a label that would be covered everywhere stays at the left', () => {
  expect(placed([60, 15], [250, 15], [440, 20])).toBe(50);
});
