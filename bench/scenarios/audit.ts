import { runCommandProcess } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import { readLedger, untilFinal } from '../ledger-facts.ts';
import type { Scenario } from '../scenario.ts';
import { environmentOf } from '../server-under-test.ts';

const MEGABYTE = 1e6;
const MAX_SECONDS = 240;
const MAX_FINAL_SECONDS = 60;
const BLOCKS_TO_FINAL = 20;

/** `npm run verify` and `npm run restore` of the whole ledger, once each, their start included. */
export const audit: Scenario = {
  name: 'audit',
  async run(session) {
    const { url } = session.server();
    await session.grow(session.settings.manyIdentities);
    const { network, head } = await readLedger(url);
    await fetch(new URL(`/mine/${BLOCKS_TO_FINAL}`, network.gateway_url), { method: 'POST' });
    await untilFinal(url, MAX_FINAL_SECONDS);
    const env = environmentOf(session.dataDir);

    const run = async (name: string, targetPerSecond: number, more: Record<string, string>): Promise<Figure[]> => {
      const limits = { maxSeconds: MAX_SECONDS, signal: session.stopping };
      const { seconds, peakBytes } = await runCommandProcess(name, { ...env, ...more }, limits);
      session.say(`${name}: ${head.seq} entries in ${seconds.toFixed(1)} s`);
      const targets = [{ of: 'value', atLeast: targetPerSecond }] as const;
      return [
        { name: `${name} of ${head.seq} entries`, unit: 'entries/s', rounds: [head.seq / seconds], targets },
        { name: `${name}: most resident memory`, unit: 'MB', rounds: [peakBytes / MEGABYTE] },
      ];
    };
    return [
      ...(await run('verify', 5_000, {})),
      ...(await run('restore', 3_000, { DATABASE_URL: await session.newDatabase() })),
    ];
  },
};
