import { expect, test } from 'vitest';
import { findBiomarkers, listedBiomarker } from './biomarkers.ts';

const codes = (typed: string, covers = (_: string) => true) => findBiomarkers(typed, covers, 8).map(({ code }) => code);

test('a biomarker is found by its name, its long name, its code, and what it belongs to', () => {
  expect(codes('fasting gluc')).toEqual(['BSP-GL-001']);
  expect(codes('Growth Differentiation')).toEqual(['BSP-LA-001']);
  expect(codes('bsp-hr-001')).toEqual(['BSP-HR-001']);
  expect(codes('anti muller')).toEqual(['BSP-FR-001']);
  expect(codes('hormones')).toHaveLength(8);
  expect(codes('')).toEqual([]);
  expect(codes('no such thing')).toEqual([]);
});

test('only what a consent covers is offered', () => {
  expect(codes('vitamin d', (category) => category === 'BSP-VT')).toEqual(['BSP-VT-001']);
});

test('a code leads back to its name and unit', () => {
  expect(listedBiomarker('BSP-GL-001')).toMatchObject({ name: 'Fasting Glucose', unit: 'mg/dL' });
  expect(listedBiomarker('BSP-GL-999')).toBeNull();
});
