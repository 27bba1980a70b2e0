import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RELAY_LOCK } from '../ledger/leader.ts';
import { type Instance, newInstance, type Product } from '../testing/test-product.ts';
import { startSteadyLoad } from '../testing/test-steady-load.ts';
import { requestOnce, running, servingProcesses } from './test-http-requests.ts';
import { type InstalledRelease, installRelease } from './test-release.ts';

let release: InstalledRelease;
let instance: Instance;
let product: Product;
beforeAll(async () => {
  release = installRelease();
  instance = await newInstance(
    { PROCESSES: '2', KEEP_ALIVE_MS: '4000', RATE_LIMIT: 'off', LOG_LEVEL: 'info' },
    { root: release.root, program: '.build/server/main.js' },
  );
  product = await instance.start();
  await logged('serves on');
});
afterAll(async () => {
  await instance?.remove();
  release?.remove();
});

const processes = () => servingProcesses(product.process.pid);
const count = (text: string) => product.output().split(text).length - 1;

async function logged(text: string, times = 1): Promise<void> {
  while (count(text) < times) await sleep(50);
}

const hangUp = () => product.process.kill('SIGHUP');

/** Whoever holds the lock of the relay, as the database knows it. */
async function leader(): Promise<number | undefined> {
  const { database_url } = JSON.parse(readFileSync(join(instance.dataDir, 'running.json'), 'utf8'));
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  const { rows } = await client.query(`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${RELAY_LOCK}`);
  await client.end();
  return rows[0]?.pid;
}

async function counted(): Promise<number> {
  const { body } = await requestOnce(`${product.url}/metrics`);
  return Number(/^perpetua_operations_accepted_total\{operation="createBEO"\} (\d+)$/m.exec(body)?.[1] ?? 0);
}

const load = () => startSteadyLoad(product.url);

test('a reload replaces every process and loses no request, and nothing that was counted', async () => {
  const before = await processes();
  const leaderBefore = await leader();
  const countedBefore = await counted();
  release.install("process.env.SERVICE_NAME = 'second release';");
  const requests = load();
  await expect.poll(requests.created).toBeGreaterThan(50);
  const createdBefore = requests.created();
  hangUp();
  await logged('the serving processes were reloaded');
  await expect.poll(requests.created).toBeGreaterThan(createdBefore + 50);
  const { created, failures } = await requests.stop();
  expect(failures).toEqual([]);
  const after = await processes();
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  expect(await running(before)).toEqual([]);
  for (let times = 0; times < 4; times++) {
    expect(JSON.parse((await requestOnce(`${product.url}/health`)).body).service).toBe('second release');
  }
  await expect.poll(leader).toBeGreaterThan(0);
  expect(await leader()).not.toBe(leaderBefore);
  for (let times = 0; times < 4; times++) expect(await counted()).toBe(countedBefore + created);
});

test('signals during a reload add to it', async () => {
  const before = await processes();
  const begun = () => count('reloading the serving processes');
  const isReloading = () => begun() > count('the serving processes were reloaded');
  const previous = begun();
  hangUp();
  hangUp();
  await expect.poll(() => begun() > previous && !isReloading()).toBe(true);
  hangUp();
  await expect.poll(isReloading).toBe(true);
  hangUp();
  await expect.poll(isReloading).toBe(false);
  const after = await processes();
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

test('a release that does not start leaves the old processes serving, and the log has the reason; a crash starts the old release', async () => {
  const before = await processes();
  release.rebuild("throw new Error('this release is broken');");
  const requests = load();
  hangUp();
  await logged('the reload failed');
  const { created, failures } = await requests.stop();
  expect(failures).toEqual([]);
  expect(created).toBeGreaterThan(0);
  expect(await processes()).toEqual(before);
  const [killed = 0] = before;
  process.kill(killed, 'SIGKILL');
  await expect.poll(async () => (await processes()).filter((pid) => !before.includes(pid))).toHaveLength(1);
  expect((await requestOnce(`${product.url}/health`)).status).toBe(200);
  const lines = product.output().split('\n');
  expect(lines.filter((line) => line.includes('this release is broken'))).toHaveLength(1);
  expect(lines.find((line) => line.includes('the reload failed'))).toContain('this release is broken');
  release.rebuild('');
});

test('SIGTERM during a reload stops everything', async () => {
  const before = await processes();
  hangUp();
  await expect.poll(async () => (await processes()).length, { interval: 20 }).toBe(3);
  const all = [...before, ...(await processes())];
  expect(await product.end('SIGTERM')).toBe(0);
  expect(await running(all)).toEqual([]);
  expect(instance.postmaster()).toBe(null);
  expect(count('the reload failed')).toBe(1);
});

test('a single process cannot be reloaded: it logs why, and serves', async () => {
  product = await instance.start({ PROCESSES: '1' });
  await logged('serves on');
  hangUp();
  await logged('SIGHUP cannot reload a single process: set PROCESSES to 2 or more, or restart the service');
  expect((await requestOnce(`${product.url}/health`)).status).toBe(200);
  expect(await product.end('SIGTERM')).toBe(0);
});
