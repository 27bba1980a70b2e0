import { biomarkerOf, listedUnits } from '../records/taxonomy.ts';
import table from './plausibility.json' with { type: 'json' };
import { convert, dimensionOf, ucumOf } from './units.ts';
import type { Value } from './value.ts';

/** The value that a biomarker has: a genotype, class or rhythm by its name; a number; numbers of several parts, or one; any. */
export type ExpectedKind = 'name' | 'quantity' | 'panel' | 'any';

const kinds = new Map(table.kinds.map(({ biomarker, kind }) => [biomarker, kind === 'panel' ? 'panel' : 'name']));

/** `any` where the taxonomy states no unit, or does not list the code. */
export const expectedKind = (biomarker: string): ExpectedKind =>
  kinds.get(biomarker) === 'name'
    ? 'name'
    : kinds.get(biomarker) === 'panel'
      ? 'panel'
      : listedUnits(biomarker).length > 0
        ? 'quantity'
        : 'any';

/** Whether a value is of another kind than a number, where the taxonomy gives the biomarker a unit of quantities. */
export function isNotNumeric({ kind }: Value, biomarker: string): boolean {
  if (kind === 'number' || kind === 'limit' || kind === 'uncertain') return false;
  const expected = expectedKind(biomarker);
  return expected === 'quantity' || (expected === 'panel' && kind !== 'structured');
}

interface Limits {
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: string;
}

/** What no quantity of a dimension can be beyond, by physics. docs/clinical-data.md has the reasons. */
const LIMITS: Readonly<Record<string, Limits>> = {
  'mass/volume': { low: 0, high: 2_000, unit: 'g/L' },
  'substance/volume': { low: 0, high: 56, unit: 'mol/L' },
  'charge/volume': { low: 0, high: 56_000, unit: 'meq/L' },
  'number/volume': { low: 0, high: 1e14, unit: '/L' },
  'substance/mass': { low: 0, high: 56_000, unit: 'umol/g' },
  temperature: { low: -273.15, high: 100, unit: 'Cel' },
};

const WHOLE = { low: 0, high: 100, unit: '%' };
const scales: ReadonlyMap<string, Limits> = new Map(table.scales.map((scale) => [scale.unit, scale]));

/**
 * A percentage is a part of a whole only where the taxonomy states one: a prothrombin activity of 120 % is a comparison. Nor is it one
 * where a source has more than 100 %, as of a saturation that is calculated from two measurements.
 */
const isShare = (biomarker: string): boolean =>
  listedUnits(biomarker).includes('%') &&
  !usualByBiomarker.get(biomarker)?.some(({ unit, high }) => unit === '%' && high > WHOLE.high);

function limitsOf(biomarker: string, unit: string): Limits | null {
  const scale = scales.get(unit);
  if (scale) return scale;
  const dimension = dimensionOf(unit);
  if (dimension === null) return null;
  if (dimension === 'fraction' && isShare(biomarker)) return WHOLE;
  return LIMITS[dimension] ?? { low: 0, high: null, unit };
}

/**
 * Whether a value cannot be: a negative amount, more than the whole, more than matter can hold. A limit is judged by its number. What
 * the taxonomy does not list can be a difference, and so negative. Null where nothing is known about the unit.
 */
export function isImpossible(value: Value, unit: string, biomarker: string): boolean | null {
  if (value.kind !== 'number' && value.kind !== 'limit') return null;
  const limits = limitsOf(biomarker, unit);
  if (limits === null) return null;
  const number = convert(value.number, unit, limits.unit);
  if (number === null) return null;
  const isBelow = limits.low !== null && number < limits.low && biomarkerOf(biomarker) !== null;
  return isBelow || (limits.high !== null && number > limits.high);
}

interface Usual {
  readonly unit: string;
  readonly low: number;
  readonly high: number;
}

const usualByBiomarker = new Map<string, Usual[]>();
for (const usual of table.usual)
  usualByBiomarker.set(usual.biomarker, [...(usualByBiomarker.get(usual.biomarker) ?? []), usual]);

/** A limit is not judged: it states no value. */
function judge(biomarker: string, value: Value, unit: string): { usual: Usual; isOutside: boolean } | null {
  if (value.kind !== 'number') return null;
  for (const usual of usualByBiomarker.get(biomarker) ?? []) {
    const number = convert(value.number, unit, usual.unit, biomarker);
    if (number !== null) return { usual, isOutside: number < usual.low || number > usual.high };
  }
  return null;
}

/** The bounds that a possible value is outside of, so that a person must look at it; null where it is usual, or nothing is known. */
export function unusualBounds(biomarker: string, value: Value, unit: string): Usual | null {
  const judged = judge(biomarker, value, unit);
  return judged?.isOutside ? judged.usual : null;
}

/** Whether a value is between two bounds. A low of 0 is none. */
export function isUsual(biomarker: string, value: Value, unit: string): boolean {
  const judged = judge(biomarker, value, unit);
  return judged !== null && !judged.isOutside && judged.usual.low > 0;
}

/** Whether a unit is one of the taxonomy for the biomarker, or converts into one; also where the taxonomy states none. */
export function isUsualUnit(biomarker: string, unit: string): boolean {
  const usual = listedUnits(biomarker);
  return usual.length === 0 || usual.some((one) => one === unit || isKindOf(unit, one, biomarker));
}

/** A unit that is in no table, such as points, must be the same text. The case of the others has a meaning: Mg is no mg. */
const isKindOf = (unit: string, usual: string, biomarker: string): boolean =>
  ucumOf(unit) === undefined
    ? ucumOf(usual) === undefined && unit.trim().toLowerCase() === usual.toLowerCase()
    : convert(1, unit, usual, biomarker) !== null;
