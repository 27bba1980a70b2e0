import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from './migrate.ts';
import { prepareCluster } from './postgres/cluster.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { launchPostmaster, stopPostmaster } from './postgres/postmaster.ts';
import { SERVICE_ROLE } from './postgres/service-role.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** With the service role, which is not a superuser. */
    postgresUrl: string;
    postgresAdminUrl: string;
    /** The name of a database with all migrations applied, as a template of others. */
    migratedTemplate: string;
  }
}

const PREFIX = 'perpetua-test-';
const MIGRATED = 'migrated';

/** The data of a test run need not survive a crash of the machine. Tests of durability start servers of their own. */
const VOLATILE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Memory that is used for the first time takes longest.
  shared_buffers: '64MB',
  max_wal_size: '128MB',
};

/** Starts a real PostgreSQL for a test run and removes it with its data at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const server = await startVolatile(dataDir);
  project.provide('postgresUrl', server.url);
  project.provide('postgresAdminUrl', server.adminUrl);
  await createTemplate(server.url, server.adminUrl);
  project.provide('migratedTemplate', MIGRATED);
  return () => remove(dataDir);
}

async function startVolatile(dataDir: string): Promise<{ url: string; adminUrl: string }> {
  const log = () => undefined;
  // It creates the cluster and the roles.
  const durable = await startEmbeddedPostgres({ dataDir, log });
  await durable.stop();
  const { cluster } = await prepareCluster(dataDir, log);
  await launchPostmaster(cluster, log, Number(new URL(durable.url).port), VOLATILE);
  return { url: durable.url, adminUrl: durable.superuserUrl };
}

async function createTemplate(url: string, adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client
    .query(`create database ${MIGRATED} template template0 owner ${SERVICE_ROLE}`)
    .finally(() => client.end());
  await migrateDatabase(new URL(`/${MIGRATED}`, url).href, () => undefined);
}

/** Removes the data of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) && Number.parseInt(name.slice(PREFIX.length), 10);
    if (pid && !isAlive(pid)) await remove(join(tmpdir(), name)).catch(() => undefined);
  }
}

async function remove(dataDir: string): Promise<void> {
  const directory = await realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
  await stopPostmaster(directory);
  await rm(dirname(directory), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
