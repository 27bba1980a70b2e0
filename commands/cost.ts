import { CommandError, readOptions, wholeNumber } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { describe } from './cost/describe.ts';
import { readCosts } from './cost/estimate-cost.ts';

const usage = `npm run cost -- [--days N] [--json]

Shows what posting costs: the price of a bundle and of an operation now, what the bundles of each of the last 14 days and 12 weeks cost, how
long the balance of the wallet lasts at the spending of the last 7 days, and what another BUNDLE_MAX_AGE_MS would change. It changes nothing.
It uses the settings of the service (docs/operations.md), whether the service is running or not.

  --days N  simulate with the operations of the last N days (7; at most 365)
  --json    amounts in winston, as strings

Exit status: 0, 2 the command could not run.
`;

const DEFAULT_DAYS = 7;
const MAX_DAYS = 365;

await runCommand({ usage, progress: 'Reading' }, async (args, parts) => {
  const options = readOptions(args, { days: { type: 'string' }, json: { type: 'boolean' } });
  const days = wholeNumber('days', options.days) ?? DEFAULT_DAYS;
  if (days < 1 || days > MAX_DAYS) throw new CommandError(`--days must be from 1 to ${MAX_DAYS}.`);
  const report = await readCosts(days, parts);
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
  for (const line of options.json ? [JSON.stringify(report, asText)] : describe(report)) parts.print(line);
  return 'clean';
});
