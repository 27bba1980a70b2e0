import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningPostmaster } from '../../../server/platform/db/postgres/postmaster.ts';
import { processorTimeOfTree } from '../../process-table.ts';
import type { Scenario } from '../session.ts';

/**
 * The processor time of a service without requests, with its PostgreSQL and its devnet, as a share of one core. The bare loop sends one
 * query each second in the same minute: after a pause, the same work takes up to ten times as long, depending on the machine.
 */
export const idle: Scenario = {
  name: 'idle',
  async run(session) {
    const { before, measured } = session.settings.idleSeconds;
    const server = await session.start('idle');
    const bare = await session.startBareLoop('bare-idle', async () => undefined);
    const processes = await Promise.all([
      withPostmaster(server.pid, server.dataDir),
      withPostmaster(bare.pid, join(session.folder, 'bare')),
    ]);
    const processorTimes = () => processes.map(processorTimeOfTree);
    session.log(`waiting ${before + measured} s`);
    await sleep(before * 1000);
    const [begun, used] = [performance.now(), processorTimes()];
    await sleep(measured * 1000);
    const elapsed = performance.now() - begun;
    const [share, bareShare] = processorTimes().map((time, index) => (100 * (time - (used[index] ?? 0))) / elapsed);
    await server.stop();
    const name = `idle for ${measured} s, ${before} s after the start`;
    const [rounds, reference] = [[share ?? Number.NaN], [bareShare ?? Number.NaN]];
    return [{ name, unit: '% of a core', rounds, reference, targets: [{ of: 'value', atMost: 1 }] }];
  },
};

async function withPostmaster(pid: number, dataDir: string): Promise<number[]> {
  const postmaster = await runningPostmaster(await realpath(join(dataDir, 'postgres')));
  return [pid, postmaster?.pid ?? 0];
}
