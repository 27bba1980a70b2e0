import type { Band } from '../../../../../protocol/clinical/ranges.ts';
import type { Series } from './series.ts';

interface Span {
  readonly low: number;
  readonly high: number;
}

/** How many times the span of the current values the axis may have to include a bound of a range or a superseded value. */
const MAX_STRETCH = 3;
const MARGIN = 0.1;

/**
 * The lowest and the highest value of the axis. It fits the current values, so that a course within a wide range is no flat line,
 * and includes the bounds of ranges and the superseded values that are near: the latter may be wrong by a power of ten.
 */
export function valueAxis(
  { current, superseded }: Pick<Series, 'current' | 'superseded'>,
  bands: readonly Band[],
): Span {
  const ends = bands.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
  const replaced = superseded.map(({ value }) => value);
  const values = current.length > 0 ? current.map(({ value }) => value) : replaced;
  const own = spanOf(values);
  // A single value, or the same again, has no span of its own.
  const near = own.high > own.low ? own : spanOf([...values, ...ends]);
  const most = (near.high - near.low) * MAX_STRETCH;
  const distance = (value: number) => Math.max(near.low - value, value - near.high);
  const nearestFirst = [...ends, ...replaced].toSorted((one, other) => distance(one) - distance(other));
  const shown = nearestFirst.reduce<Span>((span, value) => {
    const wider = { low: Math.min(span.low, value), high: Math.max(span.high, value) };
    return wider.high - wider.low <= most ? wider : span;
  }, near);
  const margin = (shown.high - shown.low) * MARGIN || Math.abs(shown.low) * MARGIN || 1;
  const low = shown.low - margin;
  return { low: shown.low >= 0 ? Math.max(low, 0) : low, high: shown.high + margin };
}

function spanOf(values: readonly number[]): Span {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return { low, high };
}
