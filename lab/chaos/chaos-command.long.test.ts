import { afterAll, beforeAll, test } from 'vitest';
import { buildPrograms, CHAOS_PROGRAMS } from '../programs.mjs';
import { expectNoProblems } from './test-rounds.ts';

let programs: Awaited<ReturnType<typeof buildPrograms>>;
beforeAll(async () => {
  programs = await buildPrograms(CHAOS_PROGRAMS);
});
afterAll(() => programs.remove());

// Each round waits for processes to start again and for the network to confirm, which a slow machine takes long for.
const TIMEOUT_MS = 1_200_000;

test(
  'ten rounds of kills, stops and faults lose nothing, double nothing and reveal no secret',
  {
    timeout: TIMEOUT_MS,
  },
  () => expectNoProblems({ rounds: 10, seed: 1, deploymentRounds: 5, programs: programs.directory }),
);
