import { runLabCommand } from '../lab-command.ts';
import { problemsOf, roundLine, summaryLines } from './chaos-report.ts';
import { runChaos } from './run-rounds.ts';

const usage = `npm run chaos -- [--rounds N] [--seed S] [--first ROUND] [--report FILE]

Runs rounds of load with every kind of operation against several processes, and kills, stops and
disturbs them, the database, the devnet and Redis. Checks after each round that nothing was lost.

  --rounds N      number of rounds (10)
  --seed S        a whole number that decides what happens in each round (random)
  --first ROUND   number of the first round, to repeat one of an earlier run (1)
  --deployment-rounds N   rounds until a new deployment begins (5)
  --only TEXT     only disturbances whose name contains the text
  --report FILE   writes the report as JSON

Exit status: 0 all invariants held, 1 breaches, 2 could not run.`;

/** @param programs the folder with the built programs */
export const main = (programs: string): Promise<void> =>
  runLabCommand({
    title: 'Chaos',
    usage,
    numbers: { rounds: [1, 10], first: [1, 1], 'deployment-rounds': [1, 5] },
    run: ({ 'deployment-rounds': deploymentRounds, ...numbers }, more) =>
      runChaos({ ...numbers, ...more, deploymentRounds, programs, onRound: (round) => console.log(roundLine(round)) }),
    lines: summaryLines,
    problems: problemsOf,
  });
