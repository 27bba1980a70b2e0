/** A bound for the median of a figure's rounds, or for the median of its ratios to the reference. */
export interface Target {
  readonly of: 'value' | 'ratio';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One measured quantity, with a value for every round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly number[];
  /** The values of the reference in the same rounds: of the bare loop, or of another checkout's server. */
  readonly reference?: readonly number[];
  readonly targets?: readonly Target[];
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return {
    median: ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** The ratios of the rounds to the reference's same rounds; null without a reference. */
export function ratioOf({ rounds, reference }: Figure): Spread | null {
  return reference ? spreadOf(rounds.map((value, round) => value / (reference[round] ?? Number.NaN))) : null;
}

export function isReached(figure: Figure, { of, atLeast, atMost }: Target): boolean {
  const value = of === 'ratio' ? ratioOf(figure)?.median : spreadOf(figure.rounds).median;
  return (
    value !== undefined &&
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (atMost ?? Number.POSITIVE_INFINITY)
  );
}
