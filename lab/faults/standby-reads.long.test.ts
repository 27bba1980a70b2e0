import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from '../../commands/doctor/run-checks.ts';
import { standbys } from '../../commands/doctor/standbys.ts';
import { readConfig } from '../../server/config.ts';
import { eventsOf } from '../../server/features/events/test-events.ts';
import { EVERYTHING } from '../../server/features/records/test-exchange.ts';
import { createCaller } from '../../server/http/trpc/router.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { creation } from '../../server/testing/test-load.ts';
import { type Replication, type Server, startReplication } from '../../server/testing/test-replication.ts';
import { captureLog, startTestService, type TestService } from '../../server/testing/test-service.ts';
import { holdTokens, readRevoked, waitUntilSettled } from '../../server/write/test-revocations.ts';

let servers: Replication;
let standby: Server;
let other: Server;
let service: TestService;
let path: string;
let settings: Record<string, string>;
const { log, lines } = captureLog();
beforeAll(async () => {
  servers = await startReplication(2);
  [standby, other] = servers.standbys as [Server, Server];
  // The other standby is named only in the last test: until then one standby answers all reads.
  const urls = [standby.url, servers.primary.url];
  // No bound that a busy machine exceeds: a standby that lags beyond one has a test, with a service of its own.
  settings = { DATABASE_READ_URL: urls.join(), DATABASE_READ_MAX_LAG_MS: '3600000' };
  service = await startTestService(settings, { databaseUrl: servers.primary.url, log });
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

async function metric(name: string, { port }: Server = standby, { get }: TestService = service): Promise<number> {
  const text: string = (await get('/metrics')).body;
  const label = name === 'public_reads_total' ? 'target' : 'standby';
  return Number(new RegExp(`^perpetua_${name}\\{${label}="127.0.0.1:${port}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}

/** Why the service last skipped a standby, as its log states. */
const reasonOf = ({ port }: Server): string | undefined =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, standby }) => msg === 'a standby is skipped' && standby === `127.0.0.1:${port}`)
    .at(-1)?.reason;

/** Whether a standby answers a read of a known identity. */
async function readsOnStandby(headers: Record<string, string> = {}): Promise<boolean> {
  const before = await metric('public_reads_total');
  expect((await service.get(path, headers)).status).toBe(200);
  return (await metric('public_reads_total')) > before;
}

const polled = { interval: 100 };
const expectStandbyServes = () => expect.poll(readsOnStandby, polled).toBe(true);

/**
 * Reads until the standby has answered as many reads as it should: one that does not answer its samples for two seconds, as on
 * a busy machine, is skipped until it does.
 */
async function fromStandby<Result>(reads: number, read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await expectStandbyServes();
    const before = await metric('public_reads_total');
    const result = await read();
    if ((await metric('public_reads_total')) >= before + reads) return result;
  }
}

test('public reads go to the standby, and checks of what is valid now to the primary', async () => {
  await expectStandbyServes();
  const before = await metric('public_reads_total');
  for (const each of ['/api/ledger', '/ready', '/api/consent/unknown/verify']) {
    expect((await service.get(each)).status).toBe(200);
  }
  expect(await metric('public_reads_total')).toBe(before);
  const call = createCaller({ services: service.service.context, address: '192.0.2.7' });
  await fromStandby(1, () => call.entries({}));
  await expect(call.entries({ limit: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await metric('standby_usable')).toBe(1);
});

test('a primary in DATABASE_READ_URL is skipped', async () => {
  expect(await metric('standby_usable', servers.primary)).toBe(0);
  expect(await metric('public_reads_total', servers.primary)).toBe(0);
  await expect.poll(() => reasonOf(servers.primary), polled).toBe('It is a primary, not a standby.');
});

test('a revocation that the rows do not show yet is read with the next request, also from the standby', async () => {
  await expectStandbyServes();
  const clients = eventsOf(service);
  const call = createCaller({ services: service.service.context, address: '127.0.0.1' });
  const [holder, lab] = await Promise.all([clients.newHolder(), clients.newInstitution({ ieoType: 'LAB' })]);
  const { body: granted } = await clients.grant(holder, lab.id, EVERYTHING);
  const release = await holdTokens(servers.primary.url, holder.id);
  expect((await clients.beo(holder, 'revoke-all', 'revokeAllTokens')).body.revoked_count).toBe(1);
  const readAll = () => readRevoked({ service, clients, call }, { holder, lab, ...granted });
  const atOnce = await readAll();
  const revoked = { status: 'REVOKED', revoked: true };
  expect(atOnce).toMatchObject({
    ...{
      verdict: { valid: false, reason: 'TOKEN_REVOKED', token: revoked },
      explored: { valid: false, token: revoked },
    },
    ...{ whole: revoked, page: revoked, received: revoked },
    ...{ reads: 'TOKEN_REVOKED', submits: 'TOKEN_REVOKED', exports: 'TOKEN_REVOKED' },
    entries: ['revokeAllTokens', 'grantConsent'],
  });

  await servers.caughtUp(standby);
  await expectStandbyServes();
  const replica = createPool(standby.url, 1, () => undefined);
  const { rows } = await replica.query(
    'SELECT t.revoked_at, r.seq > 0 AS marked FROM tokens t JOIN revocations r USING (beo_id) WHERE beo_id = $1',
    [holder.id],
  );
  await replica.end();
  expect(rows).toEqual([{ revoked_at: null, marked: true }]);
  // Two pages of the history, and the consent, the received consents and the entries of the explorer.
  expect(await fromStandby(5, readAll)).toEqual(atOnce);
  await release();
  await waitUntilSettled(service.service.context.pool);
});

test('a client reads what it wrote while the standby lags, by its address or by the seq it sends', async () => {
  await expectStandbyServes();
  await standby.query('SELECT pg_wal_replay_pause()');
  const written = await create();
  expect(written.seq).toMatch(/^[1-9]\d*$/);
  expect((await service.get(written.path)).status).toBe(200);
  expect(await readsOnStandby()).toBe(false);
  const elsewhere = { services: service.service.context, address: '192.0.2.8' };
  const lastSeq = async () => (await createCaller(elsewhere).entries({})).entries[0]?.seq;
  await expect.poll(lastSeq, polled).toBe(Number(written.seq) - 1);
  expect((await service.get(path, { 'x-perpetua-seq': 'none' })).body.code).toBe('VALIDATION_FAILED');
  expect(await readsOnStandby({ 'x-perpetua-seq': written.seq })).toBe(false);
});

test('a standby that lags beyond the bound is skipped, and returns when it has caught up', async () => {
  const bounded = await startTestService(
    { ...settings, DATABASE_READ_MAX_LAG_MS: '1000', DATA_DIR: service.dataDir, GATEWAY_URL: service.gatewayUrl },
    { databaseUrl: servers.primary.url, log },
  );
  const usable = () => metric('standby_usable', standby, bounded);
  const lag = () => metric('standby_lag_seconds', standby, bounded);
  await expect.poll(lag, polled).toBeGreaterThan(1);
  await expect.poll(() => reasonOf(standby), polled).toBe('It lags more than DATABASE_READ_MAX_LAG_MS.');
  expect(await usable()).toBe(0);
  const elsewhere = { services: bounded.service.context, address: '192.0.2.8' };
  const head = (await bounded.get('/api/ledger')).body.head.seq;
  expect((await createCaller(elsewhere).entries({})).entries[0]?.seq).toBe(head);
  await standby.query('SELECT pg_wal_replay_resume()');
  await expect.poll(usable, polled).toBe(1);
  await bounded.stop();
  await expectStandbyServes();
});

test('a standby that fails is skipped without an error, and returns when it runs again', async () => {
  await standby.kill();
  for (let count = 0; count < 20; count++) expect((await service.get(path)).status).toBe(200);
  await expect.poll(() => metric('standby_usable'), polled).toBe(0);
  await expect.poll(() => reasonOf(standby), polled).toMatch(/^It does not answer \(\w+\)\.$/);
  await standby.start();
  await expectStandbyServes();
});

test('a standby that was promoted, and one that follows it, are skipped: they have another history', async () => {
  await servers.caughtUp(other);
  await other.cut();
  await servers.caughtUp(standby);
  await standby.promote();
  await expect.poll(() => reasonOf(standby), polled).toBe('It is a primary, not a standby.');
  // From here on, the write-ahead log of the other timeline is longer than the primary's.
  await standby.query('SELECT pg_switch_wal()');
  await other.follow(standby);
  await service.service.stop();

  const { log, lines: found } = captureLog();
  const urls = [standby.url, other.url].join();
  const next = await startTestService(
    { ...settings, DATABASE_READ_URL: urls, DATA_DIR: service.dataDir, GATEWAY_URL: service.gatewayUrl },
    { databaseUrl: servers.primary.url, log },
  );
  const logged = () =>
    found.map((line) => JSON.parse(line)).filter(({ standby }) => standby?.endsWith(`:${other.port}`));
  await expect.poll(() => logged().at(-1)?.msg, polled).toBe('a standby serves reads');

  const promoted = createPool(standby.url, 1, () => undefined);
  await promoted.query(`UPDATE ledger_head SET seq = seq + 1, id = 'another'`);
  await promoted.end();
  await expect.poll(() => logged().at(-1)?.reason, polled).toMatch(/^It has entry \d+, which is not on the primary: /);
  expect((await next.post('/api/relayer/beo', creation())).status).toBe(201);
  await expect.poll(() => logged().at(-1)?.reason, polled).toMatch(/^It has another entry \d+ than the primary: /);

  const config = readConfig({
    DATABASE_URL: servers.primary.url,
    DATABASE_READ_URL: `${urls},postgres://127.0.0.1:9/x`,
  });
  const [{ findings = [] } = {}] = await examine(config, [standbys]);
  expect(findings.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/ would not be used\. It is a primary, not a standby\.$/),
    expect.stringMatching(/ would not be used\. It has another entry /),
    'The standby 127.0.0.1:9 of DATABASE_READ_URL would not be used. It does not answer (ECONNREFUSED).',
  ]);
  await next.stop();
});
