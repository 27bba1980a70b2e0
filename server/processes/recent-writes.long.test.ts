import { afterAll, beforeAll, expect, test } from 'vitest';
import { creation } from '../testing/test-load.ts';
import { type Instance, newInstance, type Product } from '../testing/test-product.ts';
import { type Replication, type Server, startReplication } from '../testing/test-replication.ts';
import { requestOnce } from './test-http-requests.ts';

let servers: Replication;
let standby: Server;
let instance: Instance;
let product: Product;
beforeAll(async () => {
  servers = await startReplication(1);
  [standby] = servers.standbys as [Server];
  instance = await newInstance({
    PROCESSES: '2',
    RATE_LIMIT: 'off',
    TRUST_PROXY: '1',
    DATABASE_URL: servers.primary.url,
    DATABASE_READ_URL: standby.url,
    DATABASE_READ_MAX_LAG_MS: '3600000',
    MAX_STREAMS: '3',
  });
  product = await instance.start();
});
afterAll(async () => {
  if (product) await product.end('SIGTERM');
  await servers?.remove();
  await instance?.remove();
});

/** A request of a client, each on a new connection, which the parent gives to another process. */
const request = (path: string, client: string, body?: string) =>
  requestOnce(`${product.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    ...(body === undefined ? {} : { body }),
  });

async function readsOnStandby(): Promise<number> {
  const { body } = await requestOnce(`${product.url}/metrics`);
  return Number(
    new RegExp(`^perpetua_public_reads_total\\{target="127.0.0.1:${standby.port}"\\} (\\d+)$`, 'm').exec(body)?.[1] ??
      0,
  );
}

test('whichever process answers, a client reads what it wrote while the standby lags', async () => {
  const writer = '192.0.2.1';
  const other = '192.0.2.2';
  const known = await request('/api/relayer/beo', writer, JSON.stringify(creation()));
  const knownPath = `/api/beos/${JSON.parse(known.body).beo_id}`;
  await servers.caughtUp(standby);
  const usedByBoth = async () => {
    const before = await readsOnStandby();
    for (let times = 0; times < 4; times++) await request(knownPath, other);
    return (await readsOnStandby()) - before;
  };
  await expect.poll(usedByBoth).toBe(4);

  await standby.query('SELECT pg_wal_replay_pause()');
  for (let round = 0; round < 3; round++) {
    const { status, body } = await request('/api/relayer/beo', writer, JSON.stringify(creation()));
    expect(status, body).toBe(201);
    const path = `/api/beos/${JSON.parse(body).beo_id}`;
    const read = async (client: string) => {
      const statuses: number[] = [];
      for (let times = 0; times < 4; times++) statuses.push((await request(path, client)).status);
      return statuses;
    };
    expect(await read(writer)).toEqual([200, 200, 200, 200]);
    expect(await read(other)).toEqual([404, 404, 404, 404]);
  }
});

test('streams of two processes are counted together, have the entries of both, and end with the reason', async () => {
  await standby.query('SELECT pg_wal_replay_resume()');
  const open = () => fetch(`${product.url}/api/ledger/stream`, { headers: { connection: 'close' } });
  const responses = await Promise.all(Array.from({ length: 8 }, open));
  const streams = responses.filter(({ status }) => status === 200);
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(5).fill(503)]);
  const texts = streams.map(() => '');
  const ends = streams.map(async ({ body }, index) => {
    for await (const piece of body ?? []) texts[index] += Buffer.from(piece).toString();
  });
  const ids: string[] = [];
  for (let times = 0; times < 2; times++) {
    ids.push(
      JSON.parse((await request('/api/relayer/beo', '192.0.2.3', JSON.stringify(creation()))).body).transactionId,
    );
  }
  await expect.poll(() => texts.filter((text) => ids.every((id) => text.includes(id)))).toHaveLength(3);
  await product.end('SIGTERM');
  await Promise.all(ends);
  for (const text of texts) {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toHaveProperty('head');
    expect(lines.slice(-3)).toMatchObject([{ id: ids[0] }, { id: ids[1] }, { closed: 'stopping' }]);
  }
});
