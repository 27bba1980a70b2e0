import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningPostmaster } from '../../../server/platform/db/postgres/postmaster.ts';
import { processorTimeOfTree } from '../../process-table.ts';
import type { Scenario } from '../session.ts';

/** The processor time of a service without requests, with its PostgreSQL and its devnet, as a share of one core. */
export const idle: Scenario = {
  name: 'idle',
  async run(session) {
    const { before, measured } = session.settings.idleSeconds;
    const server = await session.start('idle');
    const postmaster = await runningPostmaster(await realpath(join(server.dataDir, 'postgres')));
    const processorTime = () => processorTimeOfTree([server.pid, postmaster?.pid ?? 0]);
    session.log(`waiting ${before + measured} s`);
    await sleep(before * 1000);
    const [begun, used] = [performance.now(), processorTime()];
    await sleep(measured * 1000);
    const share = (100 * (processorTime() - used)) / (performance.now() - begun);
    await server.stop();
    const name = `idle for ${measured} s, ${before} s after the start`;
    return [{ name, unit: '% of a core', rounds: [share], targets: [{ of: 'value', atMost: 1 }] }];
  },
};
