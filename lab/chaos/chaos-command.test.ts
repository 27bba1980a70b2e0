import { afterAll, beforeAll, test } from 'vitest';
import { buildPrograms, CHAOS_PROGRAMS } from '../programs.mjs';
import { expectNoProblems } from './test-rounds.ts';

let programs: Awaited<ReturnType<typeof buildPrograms>>;
beforeAll(async () => {
  programs = await buildPrograms(CHAOS_PROGRAMS);
});
afterAll(() => programs.remove());

test('a round of kills, stops and faults loses nothing, doubles nothing and reveals no secret', async () => {
  await expectNoProblems({ rounds: 1, seed: 1, deploymentRounds: 1, programs: programs.directory });
});
