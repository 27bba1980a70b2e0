import type { BioRecord } from '../records/record.ts';
import { type Bounds, boundsIn, type RangeName, type ReferenceRange, referenceRange } from './ranges.ts';
import { meaningOf, type Value } from './value.ts';

/** HL7 v3 ObservationInterpretation. https://terminology.hl7.org/CodeSystem-v3-ObservationInterpretation.html */
export type Interpretation = 'LL' | 'L' | 'N' | 'H' | 'HH';

const SEVERITIES: Readonly<Record<Interpretation, number>> = { LL: 0, HH: 0, L: 1, H: 1, N: 3 };

/** Sorts the worst first: critical, low or high, without an interpretation, normal. */
export const severityOf = (interpretation: Interpretation | null): number =>
  interpretation === null ? 2 : SEVERITIES[interpretation];

/** Why a value has no interpretation. */
export type Unknown =
  /** No number says what is normal. */
  | 'noRange'
  /** The value is no quantity. */
  | 'notNumeric'
  /** The value is another number with the other decimal mark. */
  | 'uncertain'
  /** The range is in a unit that does not convert into that of the value. */
  | 'unit'
  /** The stated ranges contradict each other. */
  | 'contradictory'
  /** A limit such as `<5` leaves open on which side of a bound the value is. */
  | 'limit';

/** The position of a value relative to a range. */
export interface RangePosition {
  readonly name: RangeName;
  readonly side: 'below' | 'within' | 'above';
}

export interface Assessment {
  readonly interpretation: Interpretation | null;
  /** Null with an interpretation. */
  readonly unknown: Unknown | null;
  /** Every stated range that the value is certainly outside of, and every deficient or toxic one that it is in; the worst first. */
  readonly deviations: readonly RangePosition[];
  /** The optimal range, or else the functional one, that the value is certainly in. */
  readonly inside: 'optimal' | 'functional' | null;
}

const unknownFor = (unknown: Unknown): Assessment => ({ interpretation: null, unknown, deviations: [], inside: null });

/** The numbers that a value can be. */
interface Interval {
  readonly low: number;
  readonly high: number;
  readonly lowIsOpen: boolean;
  readonly highIsOpen: boolean;
}

/** `<5` begins at zero, unless a stated bound is negative: then the quantity can be, too. */
function intervalOf(value: Value, hasNegativeBound: boolean): Interval | null {
  if (value.kind === 'range') return { low: value.low, high: value.high, lowIsOpen: false, highIsOpen: false };
  if (value.kind === 'number') return { low: value.number, high: value.number, lowIsOpen: false, highIsOpen: false };
  if (value.kind !== 'limit') return null;
  const { comparator, number } = value;
  const isOpen = comparator === '<' || comparator === '>';
  if (comparator === '>' || comparator === '>=')
    return { low: number, high: Number.POSITIVE_INFINITY, lowIsOpen: isOpen, highIsOpen: false };
  const low = hasNegativeBound || number < 0 ? Number.NEGATIVE_INFINITY : 0;
  return { low, high: number, lowIsOpen: false, highIsOpen: isOpen };
}

type Side = { readonly verdict: Interpretation | null } | 'undecided';

const isBelow = ({ high, highIsOpen }: Interval, bound: number): boolean =>
  high < bound || (high === bound && highIsOpen);
const isAbove = ({ low, lowIsOpen }: Interval, bound: number): boolean => low > bound || (low === bound && lowIsOpen);
const isWithin = ({ low, high }: Interval, bounds: Bounds): boolean =>
  (bounds.low === null || low >= bounds.low) && (bounds.high === null || high <= bounds.high);

/** On which side of the bounds the whole interval is: the bounds belong to the range. */
function sideOf(interval: Interval, { low, high }: Bounds, below: Interpretation, above: Interpretation): Side {
  if (low !== null && isBelow(interval, low)) return { verdict: below };
  if (high !== null && isAbove(interval, high)) return { verdict: above };
  return isWithin(interval, { low, high }) ? { verdict: null } : 'undecided';
}

/** Deficient is what is below the upper bound: the bound itself is not. */
function deficient(interval: Interval, { low, high }: Bounds): Side {
  if (high === null) return { verdict: null };
  if (interval.low >= high || (low !== null && isBelow(interval, low))) return { verdict: null };
  return isBelow(interval, high) && (low === null || interval.low >= low) ? { verdict: 'L' } : 'undecided';
}

/** Toxic is what is above the lower bound. */
function toxic(interval: Interval, { low, high }: Bounds): Side {
  if (low === null) return { verdict: null };
  if (interval.high <= low || (high !== null && isAbove(interval, high))) return { verdict: null };
  return isAbove(interval, low) && (high === null || interval.high <= high) ? { verdict: 'H' } : 'undecided';
}

const MILDER: Readonly<Record<Interpretation, Interpretation>> = { LL: 'L', L: 'L', N: 'N', H: 'H', HH: 'H' };

/**
 * What a value means against the ranges that were stated with it: the only judgement of values in the project. The functional range,
 * deficiency, toxicity and critical limits decide; the optimal range is a goal, so a value outside of it is neither low nor high.
 * A limit is judged only where all that it can be is on one side.
 */
export function assess(value: Value, unit: string, range: ReferenceRange | null): Assessment {
  if (value.kind === 'uncertain') return unknownFor('uncertain');
  const hasNumbers = range?.ranges.some(({ bounds }) => bounds !== null) ?? false;
  if (!range || !hasNumbers) return unknownFor('noRange');
  const bounds = boundsIn(range, unit);
  if (!bounds) return unknownFor('unit');
  const all = [...bounds.values()].flatMap(({ low, high }) => [low ?? 0, high ?? 0]);
  const interval = intervalOf(value, Math.min(0, ...all) < 0);
  if (!interval) return unknownFor('notNumeric');

  const sides = new Map<RangeName, Side>();
  for (const [name, stated] of bounds) {
    if (name === 'deficiency') sides.set(name, deficient(interval, stated));
    else if (name === 'toxicity') sides.set(name, toxic(interval, stated));
    else if (name === 'critical') sides.set(name, sideOf(interval, stated, 'LL', 'HH'));
    else sides.set(name, sideOf(interval, stated, 'L', 'H'));
  }
  const verdictOf = (name: RangeName): Interpretation | null => {
    const side = sides.get(name);
    return side === undefined || side === 'undecided' ? null : side.verdict;
  };
  const isIn = (name: RangeName): boolean => {
    const side = sides.get(name);
    return side !== undefined && side !== 'undecided' && side.verdict === null;
  };
  const critical = verdictOf('critical');
  const verdicts = new Set(
    [verdictOf('functional'), verdictOf('deficiency'), verdictOf('toxicity'), critical && MILDER[critical]].filter(
      (verdict) => verdict !== null,
    ),
  );
  const [outside = null] = verdicts;
  // A range that is open on a side says nothing about that side: `≤ 99` does not make 30 normal.
  const denies = (name: RangeName): boolean =>
    outside !== null && isIn(name) && (bounds.get(name)?.[outside === 'L' ? 'low' : 'high'] ?? null) !== null;
  if (verdicts.size > 1 || denies('functional') || denies('optimal')) return unknownFor('contradictory');
  const agreed = outside ?? (isIn('functional') ? 'N' : null);
  const isOpen = [...sides].some(([name, side]) => name !== 'optimal' && side === 'undecided');
  const interpretation = critical ?? (agreed === 'N' && isOpen ? null : agreed);
  return {
    interpretation,
    unknown: interpretation !== null ? null : isOpen ? 'limit' : 'noRange',
    deviations: ORDER.flatMap((name) => positionOf(name, verdictOf(name)) ?? []),
    inside: outside !== null ? null : isIn('optimal') ? 'optimal' : agreed === 'N' ? 'functional' : null,
  };
}

/** The worst first. */
const ORDER: readonly RangeName[] = ['critical', 'deficiency', 'toxicity', 'optimal', 'functional'];

function positionOf(name: RangeName, verdict: Interpretation | null): RangePosition | null {
  if (verdict === null) return null;
  if (name === 'deficiency' || name === 'toxicity') return { name, side: 'within' };
  return { name, side: MILDER[verdict] === 'L' ? 'below' : 'above' };
}

/** The assessment of a record against the ranges that its institution stated with it. */
export const assessRecord = (record: Pick<BioRecord, 'value' | 'unit' | 'ref_range'>): Assessment =>
  assess(meaningOf(record.value), record.unit, referenceRange(record));
