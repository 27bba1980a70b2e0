import { readLedger } from '../api.ts';
import { measureCommand } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import type { Scenario } from '../session.ts';

/** A ledger that earlier scenarios wrote has more. */
const [ENTRIES, QUICK_ENTRIES] = [20_000, 2_000];
/** The number of the first identity that no other scenario creates. */
const FROM = 1_000_000;

/** `npm run verify` and `npm run restore` of the whole ledger, once each, including the start of the process. */
export const audit: Scenario = {
  name: 'audit',
  async run(session) {
    const server = await session.server();
    const missing = (session.settings.quick ? QUICK_ENTRIES : ENTRIES) - (await readLedger(server.url)).head.seq;
    if (missing > 0) await session.measure(server, { workload: { kind: 'createBEO', from: FROM, count: missing } });

    const run = async (name: string, atLeast: number, env = {}): Promise<Figure> => {
      const { requests, perSecond } = await measureCommand(session, server, name, env);
      return {
        ...{ name: `${name} of ${requests} entries`, unit: '/s', rounds: [perSecond] },
        targets: [{ of: 'value', atLeast }],
      };
    };
    return [await run('verify', 5_000), await run('restore', 3_000, { DATABASE_URL: await session.createDatabase() })];
  },
};
