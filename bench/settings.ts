import { parseArgs } from 'node:util';

/** How much a bench does. */
export interface Settings {
  readonly quick: boolean;
  readonly rounds: number;
  /** Only scenarios whose names contain this. */
  readonly only: string | null;
  readonly jsonFile: string | null;
  readonly profileFolder: string | null;
  /** Connections of every closed loop. */
  readonly connections: number;
  /** Requests that are sent and not measured before the first round of a load. */
  readonly warmUp: number;
  /** Operations of a round at full load. */
  readonly writes: number;
  /** Reads of a round. */
  readonly reads: number;
  readonly steadyPerSecond: number;
  readonly steadySeconds: number;
  readonly fewIdentities: number;
  readonly manyIdentities: number;
}

export const USAGE = `npm run bench -- [options]
  --rounds N       rounds of each measurement (3)
  --quick          one short round, in about two minutes, with 5 000 identities in place of 100 000
  --only TEXT      only the scenarios whose names contain this
  --json FILE      write the results there, too
  --profile DIR    let the server leave CPU profiles there`;

const FULL = { warmUp: 2_000, writes: 20_000, reads: 40_000, steadySeconds: 15, manyIdentities: 100_000 };
const QUICK = { warmUp: 1_000, writes: 3_000, reads: 8_000, steadySeconds: 3, manyIdentities: 5_000 };

/** @throws {Error} one sentence, for arguments that are not the ones of USAGE. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 20)
    throw new Error('--rounds must be a number from 1 to 20.');
  return {
    ...(values.quick ? QUICK : FULL),
    quick: values.quick,
    rounds,
    only: values.only ?? null,
    jsonFile: values.json ?? null,
    profileFolder: values.profile ?? null,
    connections: 16,
    steadyPerSecond: 200,
    fewIdentities: 1_000,
  };
}
