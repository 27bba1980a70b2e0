import { expect } from 'vitest';
import { type ChaosOptions, runChaos } from './run-rounds.ts';

/** Runs rounds of chaos and expects that no invariant was broken, and that each round disturbed a load. */
export async function expectNoProblems(options: ChaosOptions): Promise<void> {
  const { rounds, logs } = await runChaos(options);
  const problems = rounds.flatMap(({ round, disturbances, problems }) =>
    problems.map((problem) => ({ round, disturbances, ...problem, logs })),
  );
  expect(problems).toEqual([]);
  expect(rounds).toHaveLength(options.rounds);
  for (const { disturbances, operations } of rounds) {
    expect(disturbances).not.toEqual([]);
    expect(operations.acknowledged).toBeGreaterThan(0);
  }
}
