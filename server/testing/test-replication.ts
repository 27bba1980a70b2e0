import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { prepareCluster, SUPERUSER } from '../platform/db/postgres/cluster.ts';
import { type Cluster, launchPostmaster, stopPostmaster } from '../platform/db/postgres/postmaster.ts';
import { freePort } from '../platform/listening/free-port.ts';

const DATABASE = 'replicated';
const OWNER = 'owner_of_replicated';

export interface Server {
  /** Its place in the names of standbys: standby1, standby2. The first primary is 0. */
  readonly index: number;
  readonly port: number;
  /** The database's URL for its owner, who is not a superuser. */
  readonly url: string;
  /** Runs a statement as a superuser. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  start(): Promise<void>;
  /** kill -9 of the postmaster and of every process of the server. */
  kill(): Promise<void>;
  /** A standby becomes a primary. */
  promote(): Promise<void>;
  /** A standby receives nothing more, as if the network between the servers were cut. */
  cut(): Promise<void>;
  /** A standby follows another server instead. */
  follow(primary: Server): Promise<void>;
}

export interface Replication {
  readonly primary: Server;
  readonly standbys: readonly Server[];
  /** One URL with all hosts, standbys first. */
  readonly url: string;
  /** A commit waits until these standbys have stored it. */
  synchronise(standbys: readonly Server[]): Promise<void>;
  /** Waits until a standby has replayed everything. */
  caughtUp(standby: Server): Promise<void>;
  remove(): Promise<void>;
}

/** A primary with streaming hot standbys on free loopback ports. Each standby is a copy of the cluster before its start. */
export async function startReplication(standbyCount: number): Promise<Replication> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-replication-`));
  const { cluster, password } = await prepareCluster(dataDir, () => undefined);
  const servers: Server[] = [];
  const directories = [cluster.directory];
  const primary = await newServer(cluster, password, 0);
  servers.push(primary);
  for (let index = 1; index <= standbyCount; index++) {
    const directory = join(dirname(cluster.directory), `standby${index}`);
    execFileSync('cp', ['-a', cluster.directory, directory]);
    directories.push(directory);
    appendFileSync(
      join(directory, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfoOf(primary.port, password, index)}'\nprimary_slot_name = 'standby${index}'\n`,
    );
    writeFileSync(join(directory, 'standby.signal'), '');
    await chown(join(directory, 'standby.signal'), cluster.account.uid, cluster.account.gid);
    servers.push(await newServer({ ...cluster, directory }, password, index));
  }
  const standbys = servers.slice(1);

  await primary.start();
  for (const { index } of standbys)
    await primary.query(`SELECT pg_create_physical_replication_slot('standby${index}')`);
  await primary.query(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${password}'`);
  await primary.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  await Promise.all(standbys.map(({ start }) => start()));

  const caughtUp = async ({ index }: Server): Promise<void> => {
    for (;;) {
      const rows = await primary.query(
        `SELECT FROM pg_stat_replication WHERE application_name = $1 AND replay_lsn >= pg_current_wal_lsn()`,
        [`standby${index}`],
      );
      if (rows.length === 1) return;
      await sleep(20);
    }
  };
  await Promise.all(standbys.map(caughtUp));

  return {
    primary,
    standbys,
    url: `postgres://${OWNER}:${password}@${[...standbys, primary].map(({ port }) => `127.0.0.1:${port}`).join(',')}/${DATABASE}?target_session_attrs=read-write`,
    async synchronise(chosen) {
      const names = chosen.map(({ index }) => `standby${index}`).join(', ');
      await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await primary.query('SELECT pg_reload_conf()');
      for (const { index } of chosen) {
        const isSynchronous = `SELECT FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync'`;
        while ((await primary.query(isSynchronous, [`standby${index}`])).length === 0) await sleep(20);
      }
    },
    caughtUp,
    async remove() {
      await Promise.all(directories.map(stopPostmaster));
      rmSync(dirname(cluster.directory), { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const conninfoOf = (port: number, password: string, index: number): string =>
  `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${password} application_name=standby${index}`;

async function newServer(cluster: Cluster, password: string, index: number): Promise<Server> {
  const port = await freePort();
  const connectionString = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  let pid = 0;

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    return client
      .query<Row>(text, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  return {
    index,
    port,
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    query,
    async start() {
      ({ pid } = await launchPostmaster(cluster, () => undefined, port));
    },
    async kill() {
      const backends = await query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      for (const each of [pid, ...backends.map((row) => row.pid)]) killNow(each);
    },
    async promote() {
      await query('SELECT pg_promote(true, 60)');
    },
    async cut() {
      await query("ALTER SYSTEM SET primary_conninfo = ''");
      await query('SELECT pg_reload_conf()');
      while ((await query('SELECT FROM pg_stat_wal_receiver')).length > 0) await sleep(20);
    },
    async follow(primary) {
      await query(`ALTER SYSTEM SET primary_conninfo = '${conninfoOf(primary.port, password, index)}'`);
      await query("ALTER SYSTEM SET primary_slot_name = ''");
      await query('SELECT pg_reload_conf()');
      while ((await query("SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'")).length === 0) await sleep(20);
    },
  };
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
