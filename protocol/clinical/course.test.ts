import { expect, test } from 'vitest';
import { directionOf } from './course.ts';

test.each([
  [9, 'mg/L', '<0.5', 'mg/L', 'down'],
  ['<0.5', 'mg/L', 2, 'mg/L', 'up'],
  ['<5', 'mg/L', 3, 'mg/L', null],
  ['<5', 'mg/L', '<5', 'mg/L', 'same'],
  ['<5', 'mg/L', '<3', 'mg/L', null],
  ['>60', 'mL/min', '<30', 'mL/min', 'down'],
  [5, 'mg/L', '<5', 'mg/L', null],
  [0.985, 'g/L', 112, 'mg/dL', 'up'],
  [231, '10³/µL', 231_000, '/mm³', 'same'],
  ['7.0', 'mg/L', 7, 'mg/l', 'same'],
  [5.6, 'mmol/L', 98, 'mg/dL', null],
  ['negative', 'qualitative', 'negative', 'qualitative', 'same'],
  ['negative', 'qualitative', 3, 'qualitative', null],
  ['1,250', 'g/L', 2, 'g/L', null],
] as const)('from %j %s to %j %s the course is %s', (before, beforeUnit, now, nowUnit, direction) => {
  expect(directionOf({ value: before, unit: beforeUnit }, { value: now, unit: nowUnit })).toBe(direction);
});

test('mass and substance of a biomarker with a molar mass have a course', () => {
  const [before, now] = [
    { biomarker: 'BSP-GL-001', value: 5.6, unit: 'mmol/L' },
    { biomarker: 'BSP-GL-001', value: 98, unit: 'mg/dL' },
  ];
  expect(directionOf(before, now)).toBe('down');
});
