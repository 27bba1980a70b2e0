import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf, READING } from '../../write/test-parties.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const DAY = 24 * 3_600_000;
const IMMUTABLE = 'public, max-age=31536000, immutable';

async function read(path: string, headers: Record<string, string> = {}, from = service) {
  const { status, headers: got, body } = await from.get(path, headers);
  return { status, etag: got.get('etag') ?? '', cache: got.get('cache-control'), body };
}

/** The ETag of a response, which the address confirms with 304. */
async function current(path: string): Promise<string> {
  const { etag } = await read(path);
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await read(path, { 'if-none-match': `"other", W/${etag}` })).toMatchObject({ status: 304, etag, body: '' });
  return etag;
}

test('an ETag changes with the entity, its consents and its status on the ledger', async () => {
  const holder = await parties.newHolder();
  const grantee = await parties.newInstitution();
  const identity = `/api/beos/${holder.id}`;
  await expect
    .poll(async () => (await read(identity)).body.beo.ledger?.status ?? 'FINAL', { interval: 100 })
    .toBe('FINAL');
  const before = await current(identity);
  await parties.beo(holder, 'lock', 'lockBEO');
  const locked = await read(identity, { 'if-none-match': before });
  expect([locked.status, locked.body.beo.status, locked.cache]).toEqual([200, 'LOCKED', 'no-cache']);
  for (const path of [
    `/api/ieos/${grantee.id}`,
    '/api/ieos',
    '/api/ieos/search?name=clinic',
    `/api/ieos/${grantee.id}/certification`,
  ]) {
    await current(path);
  }
});

test('a transaction and a page of entries are revalidated until they are final, and never change afterwards', async () => {
  const { transactionId } = await parties.newHolder();
  const path = `/api/transactions/${transactionId}`;
  const first = await read(path);
  expect([first.status, first.cache]).toEqual([200, 'no-cache']);
  const { seq } = first.body.transaction;
  const page = `/api/ledger/entries?after=${seq - 1}&limit=1`;
  const early = await current(page);
  await expect.poll(async () => (await read(path)).body.transaction.status, { interval: 100 }).toBe('FINAL');
  const final = await read(path, { 'if-none-match': first.etag });
  expect([final.status, final.cache]).toEqual([200, IMMUTABLE]);
  expect((await read(path, { 'if-none-match': final.etag })).status).toBe(304);
  expect((await read(page, { 'if-none-match': early })).status).toBe(200);

  // A devnet can begin again, and has other entries then.
  expect((await read(page)).cache).toBe('no-cache');
  const { dataDir, databaseUrl, gatewayUrl } = service;
  await service.service.context.pool.query("DELETE FROM agreed_settings WHERE name = 'network'");
  const permanent = await startTestService(
    { DATA_DIR: dataDir, GATEWAY_URL: gatewayUrl },
    { databaseUrl, kind: 'arweave' },
  );
  expect((await read(page, {}, permanent)).cache).toBe(IMMUTABLE);
  const open = `/api/ledger/entries?after=${seq - 1}&limit=2`;
  expect((await read(open, {}, permanent)).cache).toBe('no-cache');
  const tile = '/tlog/tile/0/000.p/1';
  await expect.poll(async () => (await read(tile)).status, { interval: 100 }).toBe(200);
  expect((await read(tile)).cache).toBe('public, max-age=10');
  await current(tile);
  expect((await read(tile, {}, permanent)).cache).toBe(IMMUTABLE);
  await current('/tlog/checkpoint');
  expect((await read('/tlog/checkpoint', {}, permanent)).cache).toBe('no-cache');
  await permanent.service.stop();

  const empty = await current(`/api/ledger/entries?after=${seq}`);
  await parties.newHolder();
  expect((await read(`/api/ledger/entries?after=${seq}`, { 'if-none-match': empty })).status).toBe(200);
});

test('the ETag of a consent changes when it expires, without a write', async () => {
  const holder = await parties.newHolder();
  const grantee = await parties.newInstitution();
  const { token_id } = await parties.granted(holder, grantee.id, READING, 1);
  const path = `/api/consent/${token_id}/verify`;
  const final = async () => (await read(path)).body.token.ledger?.status ?? 'FINAL';
  await expect.poll(final, { interval: 100 }).toBe('FINAL');
  const valid = await current(path);
  // No later entry of this ledger is posted: it is a day ahead of the database's clock.
  shift += DAY + 60_000;
  const expired = await read(path, { 'if-none-match': valid });
  expect([expired.status, expired.body.reason]).toEqual([200, 'TOKEN_EXPIRED']);
});

test('what is signed or private is not stored by caches', async () => {
  for (const path of ['/api/ledger', '/ready', '/health']) expect((await read(path)).cache).toBe('no-store');
  expect((await read('/api/beos/unknown.bsp')).cache).toBe('no-store');
});
