import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMIT_GROUPS, LIMIT_WINDOW_SECONDS } from '../../server/http/limits/groups.ts';
import { requirePackages } from '../../server/launch/debian.mjs';
import { loadWallet } from '../../server/network/wallet.ts';
import type { Party } from '../../server/write/test-parties.ts';
import { partiesOf } from '../../server/write/test-parties.ts';
import { type Client, createClient } from '../chaos/operations.ts';
import { type LedgerChecks, openLedgerChecks } from './cluster/cluster-checks.ts';
import { type Attempt, failures, longestGap, probeOneAddress, startLoad } from './cluster/cluster-load.ts';
import { createDatabaseServers, type DatabaseServers } from './cluster/database-servers.ts';
import { createHostNetwork, type Host, type HostNetwork, OWN_ADDRESS } from './cluster/host-network.ts';
import { createLimitServers, type LimitServers } from './cluster/limit-servers.ts';
import { createServiceHosts, type ServiceHost, type ServiceHosts } from './cluster/service-hosts.ts';
import { createWebServer, type WebServer } from './cluster/web-server.ts';
import { type Gateway, startGateway } from './gateway.ts';

// The set-up of docs/scaling.md with the files of deploy/cluster: nine hosts, each a network namespace, on one bridge.

const PACKAGES = [
  'patroni',
  'python3-etcd',
  'etcd-server',
  'postgresql-15',
  'haproxy',
  'nginx',
  'redis-server',
  'redis-sentinel',
];
const DATABASES = ['db1', 'db2', 'db3'];
const SERVICES = ['app1', 'app2'];
const LIMITS = ['limits1', 'limits2', 'limits3'];
/** A client that no request of the load is. */
const PROBE = 32_000;

let root: string;
let network: HostNetwork;
let gateway: Gateway;
let databases: DatabaseServers;
let limits: LimitServers;
let services: ServiceHosts;
let web: WebServer;
let client: Client;
let checks: LedgerChecks;
let institution: Party;

const hostsOf = (names: readonly string[]): readonly Host[] =>
  names.map((name) => {
    const host = network.hosts.get(name);
    if (!host) throw new Error(`There is no host ${name}.`);
    return host;
  });
const serviceHost = (index: number): ServiceHost => {
  const found = services.all[index];
  if (!found) throw new Error(`There is no service host ${index}.`);
  return found;
};

beforeAll(async () => {
  requirePackages(...PACKAGES, 'iproute2', 'util-linux', 'openssl');
  root = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-cluster-`));
  chmodSync(root, 0o755);
  network = await createHostNetwork(root, [...DATABASES, ...SERVICES, ...LIMITS, 'web']);
  gateway = await startGateway(OWN_ADDRESS);
  databases = createDatabaseServers(hostsOf(DATABASES));
  await Promise.all(databases.all.map((server) => server.start()));
  await databases.whole();
  const databasePassword = await databases.createDatabase();
  const limitsPassword = randomBytes(18).toString('hex');
  limits = createLimitServers(hostsOf(LIMITS), limitsPassword);
  await limits.start();
  await limits.whole();
  services = await createServiceHosts(hostsOf(SERVICES), {
    ...{ databasePassword, limitsPassword, gatewayUrl: gateway.url },
  });
  for (const service of services.all) await service.start();
  web = createWebServer(hostsOf(['web'])[0] as Host);
  await web.program.start();
  client = createClient(services.instituteKeys, web.send);
  const proxies = hostsOf(SERVICES).map(({ address }) => `${address}:5000`);
  checks = await openLedgerChecks({
    databaseUrl: `postgres://perpetua:${databasePassword}@${proxies.join(',')}/perpetua?target_session_attrs=read-write`,
    gatewayUrl: gateway.devnet.url,
    walletAddress: loadWallet(gateway.devnet.wallet).address,
    relayerKey: services.relayerKey,
  });
  while ((await client.api.get('/ready').catch(() => null))?.status !== 200) await sleep(200);
  institution = await partiesOf(client.patientApi).newInstitution();
});
afterAll(async () => {
  await checks?.close();
  await network?.remove();
  databases?.remove();
  await gateway?.stop();
  if (!process.env.TEST_KEEP) rmSync(root, { recursive: true, force: true });
});

/** How long a fault lasts if nothing ends it. */
const FAULT_MS = 10_000;

interface Disturbed {
  readonly attempts: readonly Attempt[];
  readonly from: number;
  readonly to: number;
  /** The seconds without a successful write, and without a successful read. */
  readonly withoutWrites: number;
  readonly withoutReads: number;
  /** Each problem that /ready of a service host stated, with the host. */
  readonly stated: ReadonlySet<string>;
}

/**
 * Breaks something under load, waits until writes succeed, mends it, waits until writes succeed again, and checks that no acknowledged
 * operation is lost and that there is one history.
 * @param breakIt returns when what takes over has taken over
 */
async function underLoad(name: string, breakIt: () => Promise<void>, mendIt: () => Promise<void>): Promise<Disturbed> {
  const load = startLoad(client, institution);
  const stated = new Set<string>();
  let over = false;
  const watching = watchReadiness(() => over, stated);
  await load.nextWrite();
  await checks.keepCheckpoint(client);
  await sleep(FAULT_MS / 2);
  const from = performance.now();
  await breakIt();
  await load.nextWrite();
  await sleep(FAULT_MS / 2);
  await mendIt();
  await load.nextWrite();
  await checks.keepCheckpoint(client).catch(() => undefined);
  await sleep(FAULT_MS / 2);
  const to = performance.now();
  over = true;
  await watching;
  await load.stop();
  const { attempts } = load;
  const [withoutWrites, withoutReads] = [
    longestGap(attempts, 'write', from, to),
    longestGap(attempts, 'read', from, to),
  ];
  report(name, { attempts, from, to, withoutWrites, withoutReads, stated });
  expect(await checks.problems(client)).toEqual([]);
  return { attempts, from, to, withoutWrites, withoutReads, stated };
}

async function watchReadiness(isOver: () => boolean, stated: Set<string>): Promise<void> {
  while (!isOver()) {
    for (const { host, ready } of services.all) {
      for (const [part, { ok, problem }] of Object.entries((await ready()) ?? {})) {
        if (ok === false && problem) stated.add(`${host.name}: ${part}: ${problem}`);
      }
    }
    await sleep(500);
  }
}

function report(name: string, { attempts, from, to, withoutWrites, withoutReads, stated }: Disturbed): void {
  if (!process.env.TEST_FIGURES) return;
  const took = attempts.filter(({ at, succeeded }) => at > from && at < to && succeeded).map((each) => each.took);
  console.log(
    [
      `${name}: ${withoutWrites.toFixed(1)} s without writes, ${withoutReads.toFixed(1)} s without reads`,
      `  ${attempts.length} requests; failed ${JSON.stringify(failures(attempts, from, to))}; slowest success ${(Math.max(...took) / 1000).toFixed(1)} s`,
      ...[...stated].map((each) => `  ${each}`),
    ].join('\n'),
  );
}

test('without a fault every request succeeds', async () => {
  const { attempts } = await underLoad(
    'no fault',
    async () => undefined,
    async () => undefined,
  );
  expect(attempts.filter(({ succeeded }) => !succeeded)).toEqual([]);
});

test('if everything on the host of the leader is killed, the synchronous standby takes over, and nothing acknowledged is lost', async () => {
  const former = await databases.leader();
  await underLoad(
    'leader killed',
    async () => {
      await former.host.kill();
      await databases.leaderAfter(former);
    },
    async () => {
      await former.start();
      await databases.whole();
    },
  );
});

test('a leader that is cut off acknowledges nothing more, and follows the new one when it is back', async () => {
  const former = await databases.leader();
  let accepted = '';
  await underLoad(
    'leader cut off',
    async () => {
      await former.host.cut();
      await databases.leaderAfter(former);
    },
    async () => {
      // Patroni has stopped it, or made it read-only.
      accepted = await former.query('CREATE TABLE second_history ()').catch((error: Error) => error.message);
      await former.host.restore();
      await databases.whole();
    },
  );
  expect(accepted).toMatch(/could not connect|connection to server|read-only|starting up|shutting down/);
  expect(await former.query('SELECT pg_is_in_recovery()')).toBe('t\n');
});

test('a leader whose disk is full hands over, and follows the new one when there is space', async () => {
  const former = await databases.leader();
  await underLoad(
    'disk of the log full',
    async () => {
      former.logDisk.fill();
      // It still has segments that it can use again.
      const switching = (async () => {
        while (await former.query('SELECT pg_switch_wal()').catch(() => '')) await sleep(100);
      })();
      await databases.leaderAfter(former);
      await switching;
    },
    async () => {
      former.logDisk.empty();
      await databases.whole();
    },
  );
});

test('if HAProxy ends on a service host, the service uses that of the other one', async () => {
  const { proxy } = serviceHost(0);
  await underLoad(
    'HAProxy killed',
    async () => {
      await proxy.signal('SIGKILL');
      await sleep(FAULT_MS);
    },
    () => proxy.start(),
  );
});

test('if the master of Redis ends, rate limits are exceeded by at most one window', async () => {
  const master = await limits.master();
  let over = false;
  const begun = performance.now();
  const probing = probeOneAddress(
    () => over,
    (path, body) => post(PROBE, path, body),
  );
  await underLoad(
    'master of Redis killed',
    async () => {
      await master.kill();
      await expect.poll(() => limits.master().then(({ name }) => name), { interval: 200 }).not.toBe(master.name);
    },
    async () => {
      await limits.start(master);
      await limits.whole();
    },
  );
  over = true;
  const { allowed, refused, failed } = await probing;
  const windows = 1 + Math.floor((performance.now() - begun) / 1000 / LIMIT_WINDOW_SECONDS);
  if (process.env.TEST_FIGURES)
    console.log(`  one address: ${allowed} allowed, ${refused} refused, ${failed} failed, ${windows} windows`);
  expect(allowed).toBeLessThanOrEqual((windows + 1) * LIMIT_GROUPS.relayer.limit);
  expect(refused).toBeGreaterThan(0);
});

test('if a service host ends, the other one goes on, and no write is sent twice', async () => {
  const service = serviceHost(0);
  await underLoad(
    'service host killed',
    async () => {
      await service.host.kill();
      await sleep(FAULT_MS);
    },
    () => service.start(),
  );
});

test('verify finds no breach in the end', async () => {
  const output = await serviceHost(1).command('verify');
  expect(output).toContain('No breach was found.');
});

async function post(from: number, path: string, body: unknown) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await web.sendFrom(from, path, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
}
