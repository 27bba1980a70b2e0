import { randomBytes } from 'node:crypto';
import { chownSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Child } from '../../chaos/child.ts';
import { mountSmallDisk, type SmallDisk } from '../../chaos/disk.ts';
import { accountOf } from '../test-postgresql.ts';
import { deployFile, filledIn, install, makeFolder, variablesOf } from './deploy-files.ts';
import type { Host } from './host-network.ts';

/** A host with PostgreSQL, Patroni and etcd. */
export interface DatabaseServer {
  readonly host: Host;
  /** The file system of its write-ahead log. */
  readonly logDisk: SmallDisk;
  readonly patroni: Child;
  /** Starts what does not run. */
  start(): Promise<void>;
  /** Runs a statement as the superuser, on this server. Returns what psql prints. */
  query(statement: string): Promise<string>;
}

export interface DatabaseServers {
  readonly all: readonly DatabaseServer[];
  /** The leader. Waits until all servers agree, as `whole` does. */
  leader(): Promise<DatabaseServer>;
  /** Waits until a server other than `former` leads. */
  leaderAfter(former: DatabaseServer): Promise<DatabaseServer>;
  /** Waits until every server reports that all run on one timeline, and that one standby is synchronous. */
  whole(): Promise<void>;
  /** Creates the role and the database of the service. Returns the password. */
  createDatabase(): Promise<string>;
  remove(): void;
}

/** As `GET /cluster` of Patroni reports it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

const LOG_DISK = '/var/lib/postgresql/wal';
/** PostgreSQL keeps up to max_wal_size, a gigabyte, and wal_keep_size. */
const LOG_DISK_MB = 2_048;
const PASSWORDS = ['PATRONI_SUPERUSER_PASSWORD', 'PATRONI_REPLICATION_PASSWORD'] as const;
const RUNNING = new Set(['running', 'streaming']);

/** Three database servers with the files of deploy/cluster. None is started yet. */
export function createDatabaseServers(hosts: readonly Host[]): DatabaseServers {
  const passwords = Object.fromEntries(PASSWORDS.map((name) => [name, randomBytes(18).toString('hex')]));
  const all = hosts.map((host) => createServer(host, passwords));

  /** What each server believes; a server that is cut off believes what it knew last. */
  const views = (of = hosts) => Promise.all(of.map(({ address }) => clusterOf(address)));

  async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
    for (;;) {
      const found = await find().catch(() => undefined);
      if (found !== undefined) return found;
      await sleep(200);
    }
  }
  const named = (name: string | undefined) => all.find(({ host }) => host.name === name);
  const leaderIn = (view: readonly Member[]) =>
    view.find(({ role, state }) => role === 'leader' && state === 'running')?.name;

  /** Whether all servers agree that all of them run, on one timeline, and that one standby is synchronous. */
  function isWhole(seen: readonly (readonly Member[])[]): boolean {
    const [first = []] = seen;
    return (
      seen.every((view) => leaderIn(view) !== undefined && leaderIn(view) === leaderIn(first)) &&
      seen.every((view) => view.length === all.length && view.every(({ state }) => RUNNING.has(state))) &&
      new Set(seen.flat().map(({ timeline }) => timeline)).size === 1 &&
      seen.every((view) => view.some(({ role }) => role === 'sync_standby'))
    );
  }
  const whole = () => until(async () => ((await views().then(isWhole)) ? true : undefined));

  async function leader(): Promise<DatabaseServer> {
    await whole();
    return until(async () => named(leaderIn((await views())[0] ?? [])));
  }

  return {
    ...{ all, leader },
    leaderAfter: (former) =>
      until(async () => {
        const others = await views(hosts.filter((host) => host !== former.host));
        return named(others.map(leaderIn).find((name) => name !== undefined && name !== former.host.name));
      }),
    whole: async () => void (await whole()),
    async createDatabase() {
      const { host } = await leader();
      const password = randomBytes(18).toString('hex');
      const client = new pg.Client({
        ...{ host: host.address, port: 5432, user: 'postgres', database: 'postgres' },
        password: passwords.PATRONI_SUPERUSER_PASSWORD ?? '',
      });
      await client.connect();
      await client.query(`CREATE ROLE perpetua LOGIN PASSWORD '${password}'`);
      await client.query(`CREATE DATABASE perpetua OWNER perpetua TEMPLATE template0 ENCODING 'UTF8'`);
      await client.end();
      return password;
    },
    remove() {
      for (const { logDisk } of all) logDisk.remove();
    },
  };
}

function createServer(host: Host, passwords: Readonly<Record<string, string>>): DatabaseServer {
  const own = { THIS: host.name };
  install(host, '/etc/patroni/config.yml', filledIn(deployFile('cluster/patroni.yml'), own), 'postgres');
  for (const folder of ['/var/lib/postgresql', '/var/lib/postgresql/15', '/run/postgresql'])
    makeFolder(host, folder, 'postgres');
  makeFolder(host, '/var/lib/etcd', 'etcd');
  const logDisk = mountSmallDisk(host.folder(LOG_DISK), LOG_DISK_MB);
  if (!logDisk) throw new Error('A file system in memory could not be mounted: this test needs root on Linux.');
  const { uid, gid } = accountOf('postgres');
  chownSync(host.folder(LOG_DISK), uid, gid);

  const etcd = host.program({
    ...{ name: 'etcd', user: 'etcd', command: ['etcd'] },
    env: variablesOf(filledIn(deployFile('cluster/etcd.default'), own)),
  });
  const patroni = host.program({
    ...{ name: 'patroni', user: 'postgres', command: ['patroni', '/etc/patroni/config.yml'], env: passwords },
  });
  return {
    host,
    logDisk,
    patroni,
    async start() {
      await etcd.start();
      await patroni.start();
    },
    query: (statement) =>
      host.run('postgres', 'psql', '--no-psqlrc', '--tuples-only', '--no-align', '--command', statement),
  };
}

async function clusterOf(address: string): Promise<readonly Member[]> {
  return fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => ((await response.json()) as { members: readonly Member[] }).members,
    () => [],
  );
}
