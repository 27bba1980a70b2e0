import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How much a bench measures, and where it writes. */
export type Settings = ReturnType<typeof readSettings>;

export const USAGE = `npm run bench -- [options]
  --rounds N         rounds of each measurement (3)
  --quick            one short round, in about two minutes
  --only TEXT        only the scenarios, or only the loads, whose names contain TEXT
  --only regression  compares with a fixed earlier commit, which it installs and builds, or with the checkout of --against
  --against DIR      compares with the server of another checkout, which must be built; --only then selects loads
  --limits on|off    with or without rate limits (on; off in comparisons with another checkout)
  --identities N     how many identities are compared with 10 000 (100 000)
  --set NAME=VALUE   a setting of the service; may be repeated
  --json FILE        also writes the results to FILE
  --profile DIR      makes the servers write CPU profiles to DIR, those of another checkout to DIR/other`;

/** The name of the scenario that compares with a fixed commit. */
export const REGRESSION = 'regression';

// Requests that are sent before the first round and not measured, operations and reads of one round, and how long a service is left
// alone before its idle processor time is measured.
const FULL = { warmUp: 2_000, writes: 8_000, reads: 24_000, idleSeconds: { before: 120, measured: 60 } };
/** So that three rounds of everything take less than five minutes. */
const COMPARISON = { ...FULL, writes: 4_000, reads: 12_000 };
const QUICK = { warmUp: 1_000, writes: 2_000, reads: 6_000, idleSeconds: { before: 5, measured: 5 } };

/** @throws {Error} one sentence, for arguments that USAGE does not allow. */
export function readSettings(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      limits: { type: 'string' },
      against: { type: 'string' },
      identities: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick, only, against = null } = values;
  const isComparison = against !== null || only === REGRESSION;
  const limits = values.limits ?? (isComparison ? 'off' : 'on');
  if (limits !== 'on' && limits !== 'off') throw new Error('--limits must be on or off.');
  const number = (name: 'rounds' | 'identities', value: number, min: number, max: number) => {
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} must be a whole number from ${min} to ${max}.`);
  };
  const fewIdentities = quick ? 1_000 : 10_000;
  const manyIdentities = Number(values.identities ?? 10 * fewIdentities);
  return {
    ...(quick ? QUICK : isComparison ? COMPARISON : FULL),
    quick,
    rounds: number('rounds', Number(values.rounds ?? (quick ? 1 : 3)), 1, 20),
    only,
    identities: number('identities', manyIdentities, fewIdentities, 10_000_000),
    fewIdentities,
    /** A checkout to compare with. */
    against: against === null ? null : resolve(against),
    /** Whether the reference is the server of another checkout, and not a bare loop. */
    isComparison,
    rateLimits: limits === 'on',
    jsonFile: values.json ?? null,
    profileFolder: values.profile === undefined ? null : resolve(values.profile),
    /** Further settings of the service. */
    service: Object.fromEntries(values.set.map((setting) => setting.split(/=(.*)/s).slice(0, 2))) as Record<
      string,
      string
    >,
  };
}
