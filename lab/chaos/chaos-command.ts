import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { markdown, problemsOf, roundLine, summaryLines } from './chaos-report.ts';
import { runChaos } from './run-rounds.ts';

const USAGE = `npm run chaos -- [--rounds N] [--seed S] [--first ROUND] [--report FILE]

Runs rounds of load with every kind of operation against several processes, and kills, stops and
disturbs them, the database, the devnet and Redis. Checks after each round that nothing was lost.

  --rounds N      number of rounds (10)
  --seed S        a whole number that decides what happens in each round (random)
  --first ROUND   number of the first round, to repeat one of an earlier run (1)
  --deployment-rounds N   rounds until a new deployment begins (5)
  --only TEXT     only disturbances whose name contains the text
  --report FILE   writes a report: JSON if the name ends with .json, otherwise Markdown

Exit status: 0 all invariants held, 1 breaches, 2 could not run.`;

/** @param programs the folder with the built programs */
export async function main(programs: string): Promise<void> {
  const options = readOptions();
  if (!options) return;
  const { report: file, ...run } = options;
  console.log(`Chaos with seed ${run.seed}`);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping = true;
      console.log('Stopping after this round …');
    });
  }
  try {
    const report = await runChaos({
      ...run,
      programs,
      onRound: (round) => console.log(roundLine(round)),
      isStopping: () => stopping,
    });
    for (const line of ['', ...summaryLines(report)]) console.log(line);
    if (file) writeFileSync(file, file.endsWith('.json') ? `${JSON.stringify(report, null, 2)}\n` : markdown(report));
    process.exitCode = problemsOf(report) === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).stack ?? error);
    process.exitCode = 2;
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: '10' },
        seed: { type: 'string', default: String(randomInt(1_000_000)) },
        first: { type: 'string', default: '1' },
        'deployment-rounds': { type: 'string', default: '5' },
        only: { type: 'string', default: '' },
        report: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      return null;
    }
    const number = (name: 'rounds' | 'seed' | 'first' | 'deployment-rounds', min: number) => {
      const value = Number(values[name]);
      if (!Number.isSafeInteger(value) || value < min)
        throw new Error(`--${name} must be a whole number of at least ${min}.`);
      return value;
    };
    return {
      rounds: number('rounds', 1),
      seed: number('seed', 0),
      first: number('first', 1),
      deploymentRounds: number('deployment-rounds', 1),
      only: values.only,
      report: values.report,
    };
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return null;
  }
}
