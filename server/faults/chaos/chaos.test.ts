import { afterAll, beforeAll, test } from 'vitest';
import { buildPrograms } from './programs.mjs';
import { expectNoProblems } from './test-rounds.ts';

let programs: Awaited<ReturnType<typeof buildPrograms>>;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());

test('two rounds of kills, stops and faults lose nothing, double nothing and reveal no secret', async () => {
  await expectNoProblems({ rounds: 2, seed: 1, deploymentRounds: 2, programs: programs.directory });
});
