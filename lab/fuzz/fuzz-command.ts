import { runLabCommand } from '../lab-command.ts';
import { type FuzzReport, summaryLines } from './fuzz-report.ts';
import { runFuzz } from './run-fuzz.ts';

const usage = `npm run fuzz -- [--requests N] [--seed S] [--first INDEX] [--report FILE]

Sends generated and changed requests to every route of a service of its own, over plain sockets, and
checks every response: no 500, the documented form, at most a second. Then it checks memory and ledger.

  --requests N    number of requests (1000000)
  --seed S        a whole number that decides the requests (random)
  --first INDEX   number of the first request, to repeat a part of an earlier run (0)
  --report FILE   writes the report as JSON

Exit status: 0 no failures, 1 failures, 2 could not run.`;

/** @param root the project folder */
export const main = (root: string): Promise<void> =>
  runLabCommand({
    title: 'Fuzz',
    usage,
    numbers: { requests: [1, 1_000_000], first: [0, 0] },
    run: (numbers, { isStopping }) =>
      runFuzz({ ...numbers, isStopping, root, onProgress: (line) => console.log(line) }),
    lines: summaryLines,
    problems: ({ failures }: FuzzReport) => failures.length,
  });
