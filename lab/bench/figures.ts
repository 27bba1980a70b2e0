import type { Results } from './bench.ts';

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

type Spread = ReturnType<typeof spreadOf>;

export function spreadOf(values: readonly number[]) {
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

/** The results as a plain text table. */
export function resultsTable(results: Results): string {
  const { at, machine, figures, reference, rounds, rateLimits, minutes } = results;
  const headings = ['', 'median (min–max)', reference, 'ratio', 'target'];
  const rows = figures.map((figure) => rowOf(figure, reference));
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd();
  return [
    machine,
    `${at}, rounds: ${rounds}, rate limits ${rateLimits ? 'on' : 'off'}, ${minutes.toFixed(1)} minutes`,
    '',
    line(headings),
    line(widths.map((width) => '─'.repeat(width))),
    ...rows.map(line),
  ].join('\n');
}

function rowOf(figure: Figure, reference: string): string[] {
  const ratio = ratioOf(figure);
  return [
    figure.name,
    `${spreadText(spreadOf(figure.rounds))} ${figure.unit}`,
    figure.reference ? `${spreadText(spreadOf(figure.reference))} ${figure.unit}` : '',
    ratio ? spreadText(ratio) : '',
    (figure.targets ?? []).map((target) => targetText(figure, target, reference)).join('; '),
  ];
}

function targetText(figure: Figure, target: Target, reference: string): string {
  const bound =
    target.atLeast === undefined ? `≤ ${numberText(target.atMost ?? 0)}` : `≥ ${numberText(target.atLeast)}`;
  const unit = target.of === 'ratio' ? `× ${reference}` : figure.unit;
  return `${bound} ${unit}: ${isReached(figure, target) ? 'reached' : 'MISSED'}`;
}

function spreadText({ median, min, max }: Spread): string {
  return min === max ? numberText(median) : `${numberText(median)} (${numberText(min)}–${numberText(max)})`;
}

/** Three significant digits below a thousand, whole numbers above. */
function numberText(value: number): string {
  const options = Math.abs(value) < 1_000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
  return value.toLocaleString('en-US', options);
}
