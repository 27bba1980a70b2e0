import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measureCommand } from '../command-run.ts';
import type { Figure } from '../figures.ts';
import { compareLoads, LOADS, loadsOfServer } from '../loads.ts';
import { inPairedRounds, rateFigures } from '../paired-rounds.ts';
import { launcher } from '../server-process.ts';
import type { Scenario, Session } from '../session.ts';
import { REGRESSION } from '../settings.ts';

const run = promisify(execFile);

/** The fastest version so far. Docs/performance.md keeps the ratios of later versions to it. */
const REFERENCE_COMMIT = 'd7853c8b8360576f9f4ab04b365a4b62959431de';

export const VERIFY = 'verify';
const TARGETS = [{ of: 'ratio', atLeast: 0.95 }] as const;

/** Compares with a fixed commit, because a version that is compared only with the one before it may be a little slower each time. */
export const regression: Scenario = {
  name: REGRESSION,
  async run(session) {
    const { against, only } = session.settings;
    const begun = performance.now();
    const checkout = against ?? (await installReference(session));
    const seconds = (performance.now() - begun) / 1000;
    const other = await session.start('other', checkout);
    const server = await session.server();
    const figures: Figure[] = [];
    if (only === REGRESSION || LOADS.some((name) => name.includes(only))) {
      const [ofOther, ofServer] = [await loadsOfServer(session, other), await loadsOfServer(session, server)];
      figures.push(...(await compareLoads(session, [ofOther.loads, ofServer.loads], () => TARGETS)));
    }
    if (VERIFY.includes(only)) {
      const verify = (of: typeof server) => () => measureCommand(session, of, VERIFY);
      const rounds = await inPairedRounds(session, VERIFY, { reference: verify(other), server: verify(server) });
      figures.push(...rateFigures(VERIFY, rounds, TARGETS));
    }
    if (against === null) figures.push({ name: 'installing and building the reference', unit: 's', rounds: [seconds] });
    return figures;
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
