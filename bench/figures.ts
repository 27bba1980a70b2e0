/** What a figure must reach. A bound holds for the median of the rounds, or for the median of its ratios to the bare loop. */
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
  /** The same of the bare loop, measured in the same rounds. */
  readonly bare?: readonly number[];
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

/** The ratio to the bare loop, round by round, so that what disturbs the machine meets both sides; null without one. */
export function ratioOf({ rounds, bare }: Figure): Spread | null {
  return bare ? spreadOf(rounds.map((value, round) => value / (bare[round] ?? Number.NaN))) : null;
}

export function isReached(figure: Figure, { of, atLeast, atMost }: Target): boolean {
  const value = of === 'ratio' ? ratioOf(figure)?.median : spreadOf(figure.rounds).median;
  return (
    value !== undefined &&
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (atMost ?? Number.POSITIVE_INFINITY)
  );
}
