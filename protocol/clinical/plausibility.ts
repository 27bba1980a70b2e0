import { listedUnits } from '../records/taxonomy.ts';
import { convert, dimensionOf } from './units.ts';
import type { Value } from './value.ts';

/** Biomarkers whose value is a genotype, a class or a rhythm. */
const NAMED = new Set(['BSP-GN-001', 'BSP-GN-002', 'BSP-GN-003', 'BSP-GN-004', 'BSP-DV-004']);

/** Whether the taxonomy gives a biomarker a unit of quantities; false where it says nothing. */
export const isQuantity = (biomarker: string): boolean => !NAMED.has(biomarker) && listedUnits(biomarker).length > 0;

/** What no quantity of a dimension can exceed, by physics, and the unit. docs/clinical-data.md has the reasons. */
const LIMITS: Readonly<Record<string, readonly [low: number, high: number, unit: string]>> = {
  'mass/volume': [0, 2_000, 'g/L'],
  'substance/volume': [0, 56, 'mol/L'],
  'charge/volume': [0, 56_000, 'meq/L'],
  'number/volume': [0, 1e14, '/L'],
  fraction: [0, 100, '%'],
  temperature: [-273.15, 100, 'Cel'],
};

/**
 * Whether a value cannot be: a negative amount, more than the whole, more than matter can hold. A limit is judged by its number. Null
 * where nothing is known about the unit.
 */
export function isImpossible(value: Value, unit: string): boolean | null {
  if (value.kind !== 'number' && value.kind !== 'limit') return null;
  const dimension = dimensionOf(unit);
  if (dimension === null) return null;
  const [low, high, inUnit] = LIMITS[dimension] ?? [0, Number.POSITIVE_INFINITY, unit];
  const number = convert(value.number, unit, inUnit);
  return number !== null && (number < low || number > high);
}
