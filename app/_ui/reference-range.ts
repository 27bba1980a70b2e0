import type { BioRecord } from '../../protocol/records/record.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';

export const RANGE_NAMES = ['optimal', 'functional', 'deficiency', 'toxicity'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

/** Both bounds included; null for an open end. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

export interface StatedRange {
  readonly name: RangeName;
  /** Null where the range is a text. */
  readonly bounds: Bounds | null;
  /** Null where the range is numbers. */
  readonly text: string | null;
}

/** The reference range that an institution stated. The service adds nothing to it. */
export interface ReferenceRange {
  readonly ranges: readonly StatedRange[];
  /** The unit of its numbers. */
  readonly unit: string;
  /** Whether its numbers are in the unit of the value. */
  readonly comparable: boolean;
  readonly population: string | null;
}

export interface Band {
  readonly name: RangeName;
  readonly low: number;
  readonly high: number;
}

export type Measured = Pick<BioRecord, 'ref_range' | 'unit'>;

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** Null where the institution stated none. Protocol §8. */
export function referenceRange({ ref_range: given, unit }: Measured): ReferenceRange | null {
  if (!given) return null;
  const ranges = RANGE_NAMES.flatMap((name): StatedRange[] => {
    const [low, high] = [numberOf(given[`${name}_low`]), numberOf(given[`${name}_high`])];
    const text = textOf(given[name]);
    const bounds = low === null && high === null ? null : { low, high };
    return bounds || text ? [{ name, bounds, text }] : [];
  });
  if (ranges.length === 0) return null;
  const ownUnit = textOf(given.unit);
  return {
    ranges,
    unit: ownUnit ?? unit,
    comparable: ownUnit === null || ownUnit === unit,
    population: textOf(given.population),
  };
}

/**
 * The bands that a chart shades. A deficient band needs an upper bound and a toxic band a lower one, otherwise its side is
 * unknown.
 */
export function bandsOf(range: ReferenceRange | null): Band[] {
  if (!range?.comparable) return [];
  return range.ranges.flatMap(({ name, bounds }): Band[] => {
    if (!bounds) return [];
    const { low, high } = bounds;
    if ((name === 'deficiency' && high === null) || (name === 'toxicity' && low === null)) return [];
    const band = { name, low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY };
    return band.low <= band.high ? [band] : [];
  });
}

/** The position of a number relative to a range. */
export interface RangePosition {
  readonly name: RangeName;
  readonly side: 'below' | 'within' | 'above';
}

const isCritical = (name: RangeName): boolean => name === 'deficiency' || name === 'toxicity';

/**
 * Every stated range that a number is outside of, and every deficient or toxic one that it is in. Empty where the ranges contradict
 * each other, and without numbers.
 */
export function deviationsOf(value: number, range: ReferenceRange | null): RangePosition[] {
  const bands = bandsOf(range);
  const inside = ({ low, high }: Band): boolean => value >= low && value <= high;
  const critical = bands.filter((band) => isCritical(band.name) && inside(band));
  const normal = bands.filter(({ name }) => !isCritical(name));
  if (critical.length > 0 && normal.some(inside)) return [];
  return [
    ...critical.map(({ name }) => ({ name, side: 'within' }) as const),
    ...normal
      .filter((band) => !inside(band))
      .map(({ name, low }) => ({ name, side: value < low ? 'below' : 'above' }) as const),
  ];
}

/** The optimal range, or else the functional one, that a number is in. */
export function normalRangeOf(value: number, range: ReferenceRange | null): 'optimal' | 'functional' | null {
  const names = bandsOf(range)
    .filter(({ low, high }) => value >= low && value <= high)
    .map(({ name }) => name);
  if (names.some(isCritical)) return null;
  return names.includes('optimal') ? 'optimal' : names.includes('functional') ? 'functional' : null;
}
