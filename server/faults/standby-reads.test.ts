import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCaller } from '../http/trpc/router.ts';
import { startTestService, type TestService } from '../test-service.ts';
import { creation } from './test-load.ts';
import { type Replication, type Server, startReplication } from './test-replication.ts';

let servers: Replication;
let standby: Server;
let service: TestService;
let path: string;
beforeAll(async () => {
  servers = await startReplication(1);
  [standby] = servers.standbys as [Server];
  service = await startTestService(
    { DATABASE_READ_URL: standby.url, DATABASE_READ_MAX_LAG_MS: '1000' },
    { databaseUrl: servers.primary.url },
  );
  path = (await create()).path;
});
afterAll(async () => {
  await service.stop();
  await servers.remove();
});

async function create(): Promise<{ path: string; seq: string }> {
  const { status, body, headers } = await service.post('/api/relayer/beo', creation());
  expect(status).toBe(201);
  return { path: `/api/beos/${body.beo_id}`, seq: headers.get('x-perpetua-seq') ?? '' };
}

async function metric(name: string): Promise<number> {
  const text: string = (await service.get('/metrics')).body;
  const label = name === 'public_reads_total' ? 'target' : 'standby';
  return Number(
    new RegExp(`^perpetua_${name}\\{${label}="127.0.0.1:${standby.port}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}

/** Whether a standby answers a read of a known identity. */
async function readsOnStandby(headers: Record<string, string> = {}): Promise<boolean> {
  const before = await metric('public_reads_total');
  expect((await service.get(path, headers)).status).toBe(200);
  return (await metric('public_reads_total')) > before;
}

const polled = { interval: 100 };
const expectStandbyServes = () => expect.poll(readsOnStandby, polled).toBe(true);

test('public reads go to the standby, and checks of what is valid now to the primary', async () => {
  await expectStandbyServes();
  const before = await metric('public_reads_total');
  for (const each of ['/api/ledger', '/ready', '/api/consent/unknown/verify']) {
    expect((await service.get(each)).status).toBe(200);
  }
  expect(await metric('public_reads_total')).toBe(before);
  const call = createCaller({ services: service.service.context, address: '192.0.2.7' });
  await call.entries({});
  expect(await metric('public_reads_total')).toBe(before + 1);
  await expect(call.entries({ limit: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await metric('standby_usable')).toBe(1);
});

test('a client reads what it wrote while the standby lags, by its address or by the seq it sends', async () => {
  await expectStandbyServes();
  await standby.query('SELECT pg_wal_replay_pause()');
  const written = await create();
  expect(written.seq).toMatch(/^[1-9]\d*$/);
  expect((await service.get(written.path)).status).toBe(200);
  expect(await readsOnStandby()).toBe(false);
  const elsewhere = { services: service.service.context, address: '192.0.2.8' };
  expect((await createCaller(elsewhere).entries({})).entries[0]?.seq).toBe(Number(written.seq) - 1);
  expect((await service.get(path, { 'x-perpetua-seq': 'none' })).body.code).toBe('VALIDATION_FAILED');
  expect(await readsOnStandby({ 'x-perpetua-seq': written.seq })).toBe(false);
});

test('a standby that lags beyond the bound is skipped, and returns when it has caught up', async () => {
  const usable = () => metric('standby_usable');
  await expect.poll(usable, polled).toBe(0);
  expect(await metric('standby_lag_seconds')).toBeGreaterThan(1);
  const elsewhere = { services: service.service.context, address: '192.0.2.8' };
  const head = (await service.get('/api/ledger')).body.head.seq;
  expect((await createCaller(elsewhere).entries({})).entries[0]?.seq).toBe(head);
  await standby.query('SELECT pg_wal_replay_resume()');
  await expect.poll(usable, polled).toBe(1);
  await expectStandbyServes();
});

test('a standby that fails is skipped without an error, and returns when it runs again', async () => {
  await standby.kill();
  for (let count = 0; count < 20; count++) expect((await service.get(path)).status).toBe(200);
  await expect.poll(() => metric('standby_usable'), polled).toBe(0);
  await standby.start();
  await expectStandbyServes();
});
