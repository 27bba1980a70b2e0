import { type Figure, isReached, ratioOf, type Spread, spreadOf, type Target } from './figures.ts';

export interface Results {
  readonly at: string;
  readonly machine: string;
  readonly rounds: number;
  readonly rateLimits: boolean;
  /** What the figures are compared with: `bare loop` or `other checkout`. */
  readonly reference: string;
  readonly minutes: number;
  readonly figures: readonly Figure[];
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
