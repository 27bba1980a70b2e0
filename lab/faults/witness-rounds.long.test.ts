import { expect, test } from 'vitest';
import { runWitnessRounds } from './test-witness-rounds.ts';

/** More rounds by hand: WITNESS_ROUNDS=30 npx vitest run lab/faults/witness-rounds.long.test.ts */
const ROUNDS = Number(process.env.WITNESS_ROUNDS ?? 2);

test(
  'kill -9 of leader, witness and mirror under load never leads to two checkpoints of one size, or to an accusation',
  async () => {
    const result = await runWitnessRounds(ROUNDS);
    if (process.env.WITNESS_ROUNDS) console.log(JSON.stringify(result));
    expect(result.violations).toEqual([]);
    const { services, witness, mirror } = result.kills;
    expect(services + witness + mirror).toBeGreaterThanOrEqual(ROUNDS);
    expect(Math.min(services, witness, mirror)).toBeGreaterThan(0);
    expect(result.checkpoints).toBeGreaterThanOrEqual(ROUNDS);
  },
  300_000 + ROUNDS * 60_000,
);
