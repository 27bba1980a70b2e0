import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How much a bench measures, and where it writes. */
export interface Settings {
  readonly quick: boolean;
  readonly rounds: number;
  /** Only what has this text in its name is measured. */
  readonly only: string;
  /** A checkout to compare with, in place of the scenarios. */
  readonly against: string | null;
  /** Whether the reference is the server of another checkout, and not a bare loop. */
  readonly isComparison: boolean;
  /** How many identities a ledger has that is generated and audited, in place of the scenarios. */
  readonly ledger: number | null;
  /** How many identities are compared with few, in place of the scenarios. */
  readonly identities: number | null;
  readonly rateLimits: boolean;
  readonly jsonFile: string | null;
  readonly profileFolder: string | null;
  /** Connections of a closed loop, where a scenario does not set its own. */
  readonly connections: number;
  /** Requests that are sent before the first round and not measured. */
  readonly warmUp: number;
  /** Operations of one round at full load. */
  readonly writes: number;
  /** Reads of one round. */
  readonly reads: number;
  readonly steadyPerSecond: number;
  readonly steadySeconds: number;
  readonly fewIdentities: number;
  readonly manyIdentities: number;
}

export const USAGE = `npm run bench -- [options]
  --rounds N       rounds of each measurement (3)
  --quick          one short round, in about two minutes, with 5 000 identities instead of 100 000
  --only TEXT      only the scenarios whose names contain TEXT
  --only regression  compares with a fixed earlier commit, which it installs and builds, or with the checkout of --against
  --limits on|off  with or without rate limits (on; off in comparisons with another checkout)
  --against DIR    compares with the server of another checkout, which must be built; --only then selects loads
  --identities N   compares N identities with 10 000, which are written into the databases, in place of the scenarios
  --ledger N       generates a ledger of N identities, verifies it and restores it, in place of the scenarios
  --json FILE      also writes the results to FILE
  --profile DIR    makes the server write CPU profiles to DIR`;

/** The name of the scenario that compares with a fixed commit. */
export const REGRESSION = 'regression';

const FULL = { warmUp: 2_000, writes: 20_000, reads: 40_000, steadySeconds: 15, manyIdentities: 100_000 };
const QUICK = { warmUp: 1_000, writes: 3_000, reads: 8_000, steadySeconds: 3, manyIdentities: 5_000 };

/** @throws {Error} one sentence, for arguments that USAGE does not allow. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      limits: { type: 'string' },
      against: { type: 'string' },
      identities: { type: 'string' },
      ledger: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick, only, against = null } = values;
  const isComparison = against !== null || only === REGRESSION;
  const limits = values.limits ?? (isComparison ? 'off' : 'on');
  const rounds = Number(values.rounds ?? (quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 20)
    throw new Error('--rounds must be a number from 1 to 20.');
  const identities = values.identities === undefined ? null : Number(values.identities);
  if (identities !== null && !(Number.isInteger(identities) && identities > 10_000))
    throw new Error('--identities must be a number above 10000.');
  const ledger = values.ledger === undefined ? null : Number(values.ledger);
  if (ledger !== null && !(Number.isInteger(ledger) && ledger > 0))
    throw new Error('--ledger must be a number above 0.');
  if (limits !== 'on' && limits !== 'off') throw new Error('--limits must be on or off.');
  return {
    ...(quick ? QUICK : FULL),
    quick,
    rounds,
    only,
    identities,
    ledger,
    against: against === null ? null : resolve(against),
    isComparison,
    rateLimits: limits === 'on',
    jsonFile: values.json ?? null,
    profileFolder: values.profile === undefined ? null : resolve(values.profile),
    connections: 16,
    steadyPerSecond: 200,
    fewIdentities: 1_000,
  };
}
