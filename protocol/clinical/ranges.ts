import type { BioRecord } from '../records/record.ts';
import type { Json } from '../signing/canonical-json.ts';
import { convert } from './units.ts';

export const RANGE_NAMES = ['optimal', 'functional', 'deficiency', 'toxicity', 'critical'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

/** Null for an open end. */
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

/**
 * The bounds of a range as `assess` takes them: “40 – 60”, “≥ 40” or “≤ 60”, “< 20” for deficient, “> 150” for toxic, and
 * “< 2.5, > 6.5” for critical values, which begin beyond their bounds.
 */
export function boundsText(name: RangeName, { low, high }: Bounds): string {
  if (name === 'critical')
    return [low !== null && `< ${low}`, high !== null && `> ${high}`].filter((text) => text !== false).join(', ');
  if (low === null) return `${name === 'deficiency' ? '<' : '≤'} ${high}`;
  if (high === null) return `${name === 'toxicity' ? '>' : '≥'} ${low}`;
  return `${low} – ${high}`;
}

/** The reference range that an institution stated. The service adds nothing to it. */
export interface ReferenceRange {
  readonly ranges: readonly StatedRange[];
  /** The unit of its numbers. */
  readonly unit: string;
  /** Whether its numbers can be compared with the value: they are in its unit, or in one that converts to it. */
  readonly comparable: boolean;
  readonly biomarker: string | undefined;
  readonly population: string | null;
}

/** A stretch of the value axis. */
export interface Band {
  readonly name: RangeName;
  readonly low: number;
  readonly high: number;
}

/** Without its biomarker, a unit converts within its dimension only. */
export type Measured = Pick<BioRecord, 'ref_range' | 'unit'> & Partial<Pick<BioRecord, 'biomarker'>>;

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** Null where the institution stated none. Protocol §8. */
export function referenceRange({ biomarker, ref_range: given, unit }: Measured): ReferenceRange | null {
  if (!given) return null;
  const ranges = RANGE_NAMES.flatMap((name): StatedRange[] => {
    const [low, high] = [numberOf(given[`${name}_low`]), numberOf(given[`${name}_high`])];
    const text = textOf(given[name]);
    const bounds = low === null && high === null ? null : { low, high };
    return bounds || text ? [{ name, bounds, text }] : [];
  });
  if (ranges.length === 0) return null;
  const ownUnit = textOf(given.unit) ?? unit;
  return {
    ranges,
    unit: ownUnit,
    comparable: convert(1, ownUnit, unit, biomarker) !== null,
    biomarker,
    population: textOf(given.population),
  };
}

/** The numbers of each range in another unit; null if its unit does not convert. Without those whose bounds are reversed. */
export function boundsIn(range: ReferenceRange, unit: string): ReadonlyMap<RangeName, Bounds> | null {
  const { biomarker } = range;
  if (convert(1, range.unit, unit, biomarker) === null) return null;
  const converted = (bound: number | null) => (bound === null ? null : convert(bound, range.unit, unit, biomarker));
  return new Map(
    range.ranges.flatMap(({ name, bounds }) =>
      bounds === null || (bounds.low !== null && bounds.high !== null && bounds.low > bounds.high)
        ? []
        : [[name, { low: converted(bounds.low), high: converted(bounds.high) }] as const],
    ),
  );
}

/**
 * The bands that a chart in `unit` shades. A deficient band needs an upper bound and a toxic band a lower one, otherwise its side is
 * unknown. Critical values begin beyond their bounds.
 */
export function bandsOf(range: ReferenceRange | null, unit: string): Band[] {
  const bounds = range && boundsIn(range, unit);
  if (!bounds) return [];
  return [...bounds].flatMap(([name, { low, high }]): Band[] => {
    if ((name === 'deficiency' && high === null) || (name === 'toxicity' && low === null)) return [];
    if (name !== 'critical')
      return [{ name, low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY }];
    return [
      ...(low === null ? [] : [{ name, low: Number.NEGATIVE_INFINITY, high: low }]),
      ...(high === null ? [] : [{ name, low: high, high: Number.POSITIVE_INFINITY }]),
    ];
  });
}
