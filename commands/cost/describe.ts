import { inAr } from '../../server/ledger/spending.ts';
import { type CostReport, ratio } from './estimate-cost.ts';
import type { PeriodCost } from './read-costs.ts';

/** The report as lines of text. Amounts are exact, in AR. */
export function describe({ now, wallet, days, weeks, simulation }: CostReport): string[] {
  const { address, balance, spent, spentDays, daysLeft } = wallet;
  return [
    'Now',
    ...indented([
      ['a bundle of up to 256 KiB', amount(now.bundle)],
      [
        'operations in a bundle',
        now.operationsPerBundle === null ? 'none in 7 days' : now.operationsPerBundle.toFixed(2),
      ],
      ['an operation', now.operation === null ? 'unknown' : amount(now.operation)],
    ]),
    '',
    `Wallet ${address}`,
    ...indented([
      ['balance', amount(balance)],
      [`spent in ${spentDays.toFixed(1)} days`, amount(spent)],
      ['lasts', daysLeft === null ? 'nothing was spent in 7 days' : `${Math.floor(daysLeft)} days at that spending`],
    ]),
    '',
    ...periods('Day (UTC)', days),
    '',
    ...periods('Week from', weeks),
    '',
    ...ages(simulation),
  ];
}

function periods(title: string, rows: readonly PeriodCost[]): string[] {
  if (rows.length === 0) return [`${title}: nothing was posted.`];
  return table([
    [title, 'bundles', 'operations', 'AR', 'AR per operation'],
    ...rows.map(({ from, bundles, operations, winston }) => [
      from,
      String(bundles),
      String(operations),
      inAr(winston),
      inAr(ratio(winston, operations) ?? 0n),
    ]),
  ]);
}

function ages({ days, operations, currentMaxAgeMs, ages: rows }: CostReport['simulation']): string[] {
  const title = `BUNDLE_MAX_AGE_MS: simulated with the ${operations} operations of the last ${days.toFixed(1)} days, at the price now`;
  if (rows.length === 0) return [title];
  return [
    title,
    ...table([
      ['', 'bundles a day', 'operations in a bundle', 'AR per operation', 'mean delay', 'worst delay'],
      ...rows.map((row) => [
        `${row.maxAgeMs}${row.maxAgeMs === currentMaxAgeMs ? ' (now)' : ''}`,
        row.bundlesPerDay.toFixed(1),
        row.operationsPerBundle.toFixed(2),
        inAr(row.operation),
        seconds(row.meanDelayMs),
        seconds(row.worstDelayMs),
      ]),
    ]),
    'A delay ends when the bundle is posted. The network then needs minutes to mine it.',
  ];
}

const amount = (winston: bigint): string => `${inAr(winston)} AR (${winston} winston)`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const indented = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([name, value]) => `  ${name.padEnd(28)}${value}`);

/** Columns of equal width; all but the first are aligned to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
