import { join } from 'node:path';
import { runCommand } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import { generateLedger } from '../generated-ledger.ts';
import type { Scenario } from '../session.ts';

const MEGABYTE = 1e6;
const MAX_SECONDS = 1_800;
const LIMIT = [{ of: 'value', atMost: 300 }] as const;

/** `verify` of a generated ledger by its three public facts, `restore` of it, and `verify` with the restored database. */
export const generatedLedger = (identities: number): Scenario => ({
  name: `a ledger of ${identities} identities`,
  async run(session) {
    const ledger = await generateLedger(join(session.folder, 'generated'), identities, session.log);
    const database = { ...ledger.env, DATABASE_URL: await session.createDatabase() };
    const { gatewayUrl, wallet, relayerKey, entries } = ledger;

    async function run(title: string, name: string, options: { env?: Record<string, string>; args?: string[] }) {
      const { seconds, peakBytes } = await runCommand(session.server(), name, {
        ...options,
        maxSeconds: MAX_SECONDS,
        signal: session.interrupted,
      });
      session.log(`${title}: ${entries} entries in ${seconds.toFixed(1)} s`);
      return [
        { name: `${title} of ${entries} entries`, unit: 'entries/s', rounds: [entries / seconds] },
        { name: `${title}: peak resident memory`, unit: 'MB', rounds: [peakBytes / MEGABYTE], targets: LIMIT },
      ] satisfies Figure[];
    }
    try {
      const facts = ['--gateway', gatewayUrl, '--wallet', wallet, '--relayer-key', relayerKey];
      return [
        ...(await run('verify', 'verify', { args: facts })),
        ...(await run('restore', 'restore', { env: database })),
        ...(await run('verify with the database', 'verify', { env: database })),
      ];
    } finally {
      await ledger.stop();
    }
  },
});
