import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readRunningFile } from '../../../server/platform/data-folder/running-file.ts';
import { readPassword, SUPERUSER } from '../../../server/platform/db/postgres/cluster.ts';
import { addressFor } from '../../../server/platform/db/postgres/service-role.ts';
import { untilPosted } from '../ledger-state.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Measurement, Scenario, Session } from '../session.ts';

/** Copying their database takes some seconds. */
const IDENTITIES = 20_000;
/** Bytes per second, as BACKUP_MAX_RATE. */
const MAX_RATE = '8000000';
/** Requests of one measurement, of which several follow each other in a round. */
const STEP = 500;
const REFERENCE_STEPS = 8;
const MAX_STARTING_SECONDS = 60;
const MAX_SCHEDULED_SECONDS = 300;
const MAX_OUTPUT = 2_000;

/**
 * createBEO while a base backup copies the database as on the schedule, and between backups, on one server that archives
 * its changes all the time.
 */
export const baseBackup: Scenario = {
  name: 'base-backup',
  async run(session) {
    const directory = join(dirname(session.server().env.DATA_DIR ?? ''), 'backups');
    mkdirSync(directory);
    const server = await session.startAnother('backed-up', { settings: { BACKUP_DIR: directory } });
    const create = creating(session, server);
    await create(session.settings.quick ? IDENTITIES / 4 : IDENTITIES);
    await untilScheduled(server, directory);
    const rounds = await inPairedRounds(session, {
      title: 'createBEO during a base backup',
      reference: async () => {
        const steps: Measurement[] = [];
        while (steps.length < REFERENCE_STEPS) steps.push(await create(STEP));
        return together(server, steps);
      },
      server: () => duringBackup(session, server, directory, () => create(STEP)),
    });
    await server.stop();
    const targets = [{ of: 'ratio', atLeast: 0.9 }] as const;
    return [
      pairedFigure(rounds, 'createBEO during a base backup', '/s', ({ perSecond }) => perSecond, targets),
      ...processorFigures(rounds, 'createBEO during a base backup'),
    ];
  },
};

function creating(session: Session, server: ServerProcess): (count: number) => Promise<Measurement> {
  let created = 0;
  return async (count) => {
    const workload = { kind: 'createBEO', from: 2_000_000 + created, count } as const;
    created += count;
    return session.measure(server, { workload });
  };
}

/** The rate of all steps; the rest is that of the last one. */
async function together(server: ServerProcess, steps: readonly Measurement[]): Promise<Measurement> {
  await untilPosted(server.url);
  const last = steps.at(-1);
  if (!last) throw new Error('Nothing was measured.');
  const sum = (value: (step: Measurement) => number) => steps.reduce((total, step) => total + value(step), 0);
  const [requests, seconds] = [sum((step) => step.requests), sum((step) => step.seconds)];
  const processorMs = sum((step) => step.processorMs ?? Number.NaN) / steps.length;
  return { ...last, requests, seconds, perSecond: requests / seconds, processorMs: processorMs || null };
}

/** Measures until the backup has ended. @throws {Error} if it fails */
async function duringBackup(
  session: Session,
  server: ServerProcess,
  directory: string,
  create: () => Promise<Measurement>,
): Promise<Measurement> {
  // Otherwise the checkpoint of the backup, which is spread over minutes, would be measured for the most part.
  await checkpoint(server);
  const program = join(server.checkout, '.build', 'server', 'backup.js');
  const child = spawn(process.execPath, [program, directory, '--max-rate', MAX_RATE, '--keep', '1s'], {
    ...{ cwd: server.checkout, env: server.env, signal: session.interrupted },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  setPriority(child.pid ?? 0, 19);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-MAX_OUTPUT);
  });
  const ended = once(child, 'close');
  const deadline = performance.now() + MAX_STARTING_SECONDS * 1000;
  while (!(await isCopying(directory))) {
    if (child.exitCode !== null) throw new Error(`The backup ended with status ${child.exitCode}:\n${output.trim()}`);
    if (performance.now() > deadline) throw new Error(`The backup did not start:\n${output.trim()}`);
    await sleep(20);
  }
  const steps: Measurement[] = [];
  while (await isCopying(directory)) steps.push(await create());
  const [code] = await ended;
  if (code !== 0) throw new Error(`The backup ended with status ${code}:\n${output.trim()}`);
  return together(server, steps.length > 1 ? steps.slice(0, -1) : steps);
}

/** The server takes a base backup of its own when it has none, and only one backup runs at a time. */
async function untilScheduled(server: ServerProcess, directory: string): Promise<void> {
  const deadline = performance.now() + MAX_SCHEDULED_SECONDS * 1000;
  while ((await basesIn(directory)).filter((name) => !name.startsWith('.')).length === 0) {
    if (performance.now() > deadline) throw new Error('The first backup of the server did not end.');
    // Ends that of the backup, which is otherwise spread over minutes.
    await checkpoint(server);
    await sleep(1_000);
  }
}

async function checkpoint({ env }: ServerProcess): Promise<void> {
  const dataDir = env.DATA_DIR ?? '';
  const url = readRunningFile(dataDir)?.database_url ?? '';
  const password = await readPassword(join(dataDir, 'postgres-password'));
  const client = new pg.Client({ connectionString: addressFor(SUPERUSER, new URL(url), password).href });
  await client.connect();
  await client.query('CHECKPOINT').finally(() => client.end());
}

async function isCopying(directory: string): Promise<boolean> {
  return (await basesIn(directory)).some((name) => name.startsWith('.partial-'));
}

/** The names of base backups, and of one that is being written. */
async function basesIn(directory: string): Promise<string[]> {
  const [database = ''] = await readdir(directory);
  return readdir(join(directory, database, 'base')).catch(() => []);
}
