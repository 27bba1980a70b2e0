import type { Machine } from './bench-machine.ts';
import { type Figure, isReached, ratioOf, type Spread, spreadOf, type Target } from './figures.ts';

export interface Results {
  readonly at: string;
  readonly machine: Machine;
  /** Load average of the machine over the minute before the bench; that of a scenario is over its last minute. */
  readonly otherLoad: number;
  readonly rounds: number;
  readonly quick: boolean;
  readonly rateLimits: boolean;
  /** What the figures are compared with: `bare loop` or `other checkout`. */
  readonly reference: string;
  readonly minutes: number;
  readonly scenarios: readonly { readonly name: string; readonly load: number; readonly figures: readonly Figure[] }[];
  readonly notes: readonly string[];
}

/** The results as a plain text table. */
export function resultsTable(results: Results): string {
  const { machine, scenarios, reference } = results;
  const headings = ['', 'median (min–max)', reference, 'ratio', 'target'];
  const rows = scenarios.flatMap(({ figures }) => figures.map((figure) => rowOf(figure, reference)));
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd();
  return [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, ${machine.kernel}`,
    `one core verifies ${numberText(machine.verificationsPerSecond)} Ed25519 signatures per second`,
    `${results.at}, rounds: ${results.rounds}, rate limits ${results.rateLimits ? 'on' : 'off'}, ${results.minutes.toFixed(1)} minutes; load average before: ${results.otherLoad.toFixed(2)}`,
    '',
    line(headings),
    line(widths.map((width) => '─'.repeat(width))),
    ...rows.map(line),
    ...results.notes.flatMap((note) => ['', note]),
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

/** The results with every round, and whether each target is reached. */
export function resultsJson({ scenarios, ...facts }: Results): string {
  const report = {
    ...facts,
    scenarios: scenarios.map(({ figures, ...scenario }) => ({
      ...scenario,
      figures: figures.map((figure) => ({
        ...figure,
        ...spreadOf(figure.rounds),
        ratio: ratioOf(figure),
        targets: (figure.targets ?? []).map((target) => ({ ...target, reached: isReached(figure, target) })),
      })),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
