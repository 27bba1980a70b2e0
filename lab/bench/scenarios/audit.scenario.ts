import { runCommand } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import { makeFinal } from '../ledger-state.ts';
import type { Scenario } from '../session.ts';

const MEGABYTE = 1e6;

/** `npm run verify` and `npm run restore` of the whole ledger, once each, including the start of the process. */
export const audit: Scenario = {
  name: 'audit',
  async run(session) {
    await session.grow(session.settings.manyIdentities);
    const { head } = await makeFinal(session.server().url);

    async function run(name: string, targetPerSecond: number, env: Record<string, string>): Promise<Figure[]> {
      const { seconds, peakBytes } = await runCommand(session.server(), name, { env, signal: session.interrupted });
      session.log(`${name}: ${head.seq} entries in ${seconds.toFixed(1)} s`);
      const targets = [{ of: 'value', atLeast: targetPerSecond }] as const;
      return [
        { name: `${name} of ${head.seq} entries`, unit: 'entries/s', rounds: [head.seq / seconds], targets },
        { name: `${name}: peak resident memory`, unit: 'MB', rounds: [peakBytes / MEGABYTE] },
      ];
    }
    return [
      ...(await run('verify', 5_000, {})),
      ...(await run('restore', 3_000, { DATABASE_URL: await session.createDatabase() })),
    ];
  },
};
