import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { summaryLines } from './fuzz-report.ts';
import { runFuzz } from './run-fuzz.ts';

const USAGE = `npm run fuzz -- [--requests N] [--seed S] [--first INDEX] [--report FILE]

Sends generated and changed requests to every route of a service of its own, over plain sockets, and
checks every response: no 500, the documented form, at most a second. Then it checks memory and ledger.

  --requests N    number of requests (1000000)
  --seed S        a whole number that decides the requests (random)
  --first INDEX   number of the first request, to repeat a part of an earlier run (0)
  --report FILE   writes the report as JSON

Exit status: 0 no failures, 1 failures, 2 could not run.`;

/** @param root the project folder */
export async function main(root: string): Promise<void> {
  const options = readOptions();
  if (!options) return;
  const { requests, seed, first, report: file } = options;
  console.log(`Fuzz with seed ${seed}`);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopping = true;
      console.log('Stopping …');
    });
  }
  try {
    const report = await runFuzz({
      requests,
      seed,
      first,
      root,
      onProgress: (line) => console.log(line),
      isStopping: () => isStopping,
    });
    for (const line of summaryLines(report)) console.log(line);
    if (file) writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    process.exitCode = report.failures.length === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).stack ?? error);
    process.exitCode = 2;
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: String(randomInt(1_000_000)) },
        first: { type: 'string', default: '0' },
        report: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      return null;
    }
    const number = (name: 'requests' | 'seed' | 'first', min: number) => {
      const value = Number(values[name]);
      if (!Number.isSafeInteger(value) || value < min)
        throw new Error(`--${name} must be a whole number of at least ${min}.`);
      return value;
    };
    return {
      requests: number('requests', 1),
      seed: number('seed', 0),
      first: number('first', 0),
      report: values.report,
    };
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return null;
  }
}
