import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creation } from '../testing/test-load.ts';
import { type Instance, newInstance, type Product } from '../testing/test-product.ts';
import { halfSent, type Response, requestOnce, running, servingProcesses, statusOf } from './test-http-requests.ts';

let instance: Instance;
let product: Product;
let serving: number[];
beforeAll(async () => {
  instance = await newInstance({
    PROCESSES: '2',
    KEEP_ALIVE_MS: '1000',
    MAX_CONNECTIONS_PER_ADDRESS: '20',
    LOG_LEVEL: 'info',
  });
  await restart();
});
afterAll(() => instance.remove());

async function restart(): Promise<void> {
  product = await instance.start();
  while (!product.output().includes('serves on')) await sleep(20);
  serving = await processes();
}

const processes = () => servingProcesses(product.process.pid);

/** 0 where the connection is refused. */
const healthStatus = (): Promise<number> => statusOf(`${product.url}/health`);

test('requests of one client to two processes are counted together', async () => {
  const path = `${product.url}/api/beos/domain/nobody.bsp`;
  const responses: Response[] = [];
  for (let round = 0; round < 5; round++) {
    responses.push(...(await Promise.all(Array.from({ length: 13 }, () => requestOnce(path)))));
  }
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(60).fill(404), ...Array(5).fill(429)]);
});

/** What one scrape returns for the requests of the first test, by status. The parent gives each connection to another process. */
async function countedRequests(): Promise<readonly number[]> {
  const { body } = await requestOnce(`${product.url}/metrics`);
  const count = (status: number) =>
    new RegExp(`^perpetua_http_request_seconds_count\\{route="/api/beos/domain/:domain",.*"${status}"\\} (\\d+)$`, 'm');
  return [404, 429].map((status) => Number(count(status).exec(body)?.[1]));
}

test('each process returns the metrics of all, each metric once', async () => {
  for (let times = 0; times < 4; times++) expect(await countedRequests()).toEqual([60, 5]);
  const { body } = await requestOnce(`${product.url}/metrics`);
  const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(body).toMatch(/^perpetua_relay_leading 1$/m);
  expect(body).toMatch(/^perpetua_backlog_entries 0$/m);
  expect(body).toMatch(/^perpetua_part_ok\{part="database"\} 1$/m);
  // Both processes have connections to the database, and at most 16 each in these pools.
  const connections = [...body.matchAll(/^perpetua_database_connections\{.*\} (\d+)$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(connections.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(3);
});

test('connections of one address to two processes are counted together', async () => {
  const sockets = Array.from({ length: 25 }, () => connect(Number(new URL(product.url).port), '127.0.0.1'));
  const ended = sockets.map((socket) => socket.on('error', () => undefined) && once(socket, 'close'));
  await Promise.race(ended);
  await expect.poll(() => sockets.filter(({ readyState }) => readyState === 'open').length).toBe(20);
  for (const socket of sockets) socket.destroy();
  await expect.poll(healthStatus).toBe(200);
});

test('a killed process is replaced; its connections no longer count, and what it counted still does', async () => {
  const [killed = 0] = serving;
  expect(await countedRequests()).toEqual([60, 5]);
  const sockets = Array.from({ length: 20 }, () => connect(Number(new URL(product.url).port), '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  process.kill(killed, 'SIGKILL');
  await expect.poll(async () => (await processes()).filter((pid) => !serving.includes(pid))).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await expect.poll(healthStatus).toBe(200);
  expect(product.output()).toContain('a serving process ended');
  serving = await processes();
  for (let times = 0; times < 4; times++) expect(await countedRequests()).toEqual([60, 5]);
});

test('if the parent does not answer, nothing is let through uncounted', async () => {
  const { port } = new URL(product.url);
  const socket = connect(Number(port), '127.0.0.1');
  // A connection that a serving process has, which the parent handed over.
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  process.kill(product.process.pid ?? 0, 'SIGSTOP');
  try {
    socket.write('GET /api/beos/domain/x.bsp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"UNAVAILABLE"/);
  } finally {
    process.kill(product.process.pid ?? 0, 'SIGCONT');
  }
});

const halfSentCreation = () =>
  halfSent(connect(Number(new URL(product.url).port), '127.0.0.1'), product.url, creation());

test('on SIGTERM every process completes its requests, and then everything stops', async () => {
  const finish = await halfSentCreation();
  const ended = product.end('SIGTERM');
  await expect.poll(healthStatus).toBe(0);
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close/i);
  expect(await ended).toBe(0);
  expect(await running(serving)).toEqual([]);
  expect(instance.postmaster()).toBe(null);
});

test('if the parent is killed, the processes complete their requests and end', async () => {
  await restart();
  const finish = await halfSentCreation();
  // The output ends with the serving processes.
  const killed = once(product.process, 'exit');
  const ended = product.end('SIGKILL');
  await killed;
  expect(await finish()).toMatch(/^HTTP\/1\.1 (201|503) /);
  await ended;
  expect(await running(serving)).toEqual([]);
});

test('an invalid setting prevents the start and is reported once', async () => {
  expect(await instance.failToStart({ PROCESSES: 'many' })).toEqual({
    code: 1,
    output: 'Perpetua cannot start: PROCESSES is wrong: must be auto or a whole number from 1 to 64 (it is "many").\n',
  });
  const otherKey = join(instance.dataDir, 'webhook.key');
  expect(await instance.failToStart({ RELAYER_KEY_FILE: otherKey, LOG_LEVEL: 'error' })).toEqual({
    code: 1,
    output:
      'Perpetua cannot start: The relayer key does not belong to the ledger in this database; nothing was changed.\n',
  });
  expect(instance.postmaster()).toBe(null);
});
