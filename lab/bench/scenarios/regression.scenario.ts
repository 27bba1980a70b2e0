import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launcher } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';
import { REGRESSION } from '../settings.ts';
import { compareLoads } from './compare-loads.ts';

const run = promisify(execFile);

/** The fastest version so far. Docs/performance.md keeps the ratios of later versions to it. */
const REFERENCE_COMMIT = 'd7853c8b8360576f9f4ab04b365a4b62959431de';

/** Requests of one round, so that three rounds of everything take less than five minutes. */
const [READS, WRITES] = [12_000, 4_000];
const TARGETS = [{ of: 'ratio', atLeast: 0.95 }] as const;

/** Compares with a fixed commit, because a version that is compared only with the one before it may be a little slower each time. */
export const regression: Scenario = {
  name: REGRESSION,
  async run(session) {
    const { against, quick, reads, writes } = session.settings;
    const begun = performance.now();
    const checkout = against ?? (await installReference(session));
    const seconds = (performance.now() - begun) / 1000;
    const other = await session.startAnother('reference', { checkout });
    const figures = await compareLoads(session, other, {
      reads: quick ? reads : READS,
      writes: quick ? writes : WRITES,
      isSelected: () => true,
      targets: TARGETS,
    });
    if (against !== null) return figures;
    return [...figures, { name: 'installing and building the reference', unit: 's', rounds: [seconds] }];
  },
};

/** Outside this checkout, whose packages and configuration Next would otherwise use. */
async function installReference({ addStep, log }: Session): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perpetua-reference-'));
  addStep('the checkout of the reference', () => rm(folder, { recursive: true, force: true }));
  log(`installing and building ${REFERENCE_COMMIT.slice(0, 7)} in ${folder}`);
  const archive = join(folder, 'reference.tar');
  await run('git', ['archive', '-o', archive, REFERENCE_COMMIT]).catch((error: Error) => {
    throw new Error(
      `This clone does not have the reference commit: fetch it, or use --against with a checkout of it.\n${error.message}`,
    );
  });
  await run('tar', ['-xf', archive], { cwd: folder });
  await rm(archive);
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  await run(process.execPath, [launcher(folder, 'build'), '--pages'], { cwd: folder, env });
  return folder;
}
