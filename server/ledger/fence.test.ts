import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LedgerId, ledgerIdOf, type TransactionId } from '../../protocol/ids.ts';
import { createPool } from '../platform/db/pool.ts';
import { freshDatabase } from '../platform/db/test-database.ts';
import { accepted, creation } from '../testing/test-load.ts';
import { captureLog, startTestService, type TestService } from '../testing/test-service.ts';
import { ledgerOfKey, type Place, readRecordedHead, recordHead, recordLedgerOfKey } from './head-record.ts';
import { wholeChain } from './test-chain.ts';

const LEDGER = ledgerIdOf('00'.repeat(32)) as LedgerId;
const place = (epoch: number, seq: number): Place => ({
  epoch,
  seq,
  id: randomBytes(32).toString('base64url') as TransactionId,
});

test('the record of the head never goes back, whichever process writes last', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-head-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await readRecordedHead(folder, LEDGER)).toBeNull();
  const places = Array.from({ length: 40 }, (_, index) => place(1, index + 1));
  const last = place(2, 7);
  await Promise.all([last, ...places].map((each) => recordHead(folder, LEDGER, each)));
  await recordHead(folder, LEDGER, place(1, 1_000));
  expect(await readRecordedHead(folder, LEDGER)).toEqual(last);
  expect(await readRecordedHead(folder, ledgerIdOf('11'.repeat(32)))).toBeNull();
});

test('what a command of root records belongs to the owner of the data directory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-head-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (process.getuid?.() === 0) chownSync(folder, 12_345, 12_345);
  await recordLedgerOfKey(folder, LEDGER, LEDGER);
  await recordHead(folder, LEDGER, place(1, 1));
  const created = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, String(name))));
  expect(created).toHaveLength(4);
  expect(new Set(created.map(({ uid }) => uid))).toEqual(new Set([statSync(folder).uid]));
});

test('a record that cannot be read is reported in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-head-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'ledger-head'));
  // Root may read everything, but a file is not a folder for anyone.
  writeFileSync(join(folder, 'ledger-head', LEDGER), '');
  await expect(ledgerOfKey(folder, LEDGER)).rejects.toThrow(
    /ledger-head.* cannot be read \(ENOTDIR\): give DATA_DIR and everything in it to the user of the service\.$/,
  );
});

let service: TestService;
const { log, lines } = captureLog();
beforeAll(async () => {
  service = await startTestService({ BUNDLE_MAX_AGE_MS: '60000' }, { log });
});
afterAll(() => service.stop());

const query = (text: string, values: unknown[] = []) => service.service.context.pool.query(text, values);
const moveBack = (seq: number) =>
  query('UPDATE ledger_head SET (seq, id) = (SELECT seq, id FROM ledger_entries WHERE seq = $1)', [seq]);
const write = () => service.post('/api/relayer/beo', creation());
const problem = async () => (await service.get('/ready')).body.ledger.problem;

async function expectRefused(sentence: RegExp): Promise<void> {
  const { status, body } = await write();
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.error).toMatch(/^The database has lost operations, .* try again later\.$/);
  await expect.poll(problem).toMatch(sentence);
  const ready = await service.get('/ready');
  expect([ready.status, ready.body.status, ready.body.database.ok]).toEqual([503, 'unavailable', true]);
  expect((await service.get('/metrics')).body).toContain('perpetua_part_ok{part="ledger"} 0');
  expect((await service.get('/api/ledger/entries')).status).toBe(200);
}

test('a database whose head went back gets no more operations until it has them again', async () => {
  await accepted(service, 3);
  await moveBack(2);
  await expectRefused(
    /^The database ends with entry 2 of epoch 1, but .* entry 3 of epoch 1 \(.*npm run restore -- --keep-private on this database/,
  );
  await query('UPDATE ledger_head SET (seq, id) = (SELECT seq, id FROM ledger_entries WHERE seq = 3)');
  expect((await write()).status).toBe(201);
  expect((await wholeChain(service.service.context.pool)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^writes are/.test(msg));
  expect(logged.map(({ msg }) => msg)).toEqual(['writes are refused', 'writes are accepted again']);
});

test('a database that has another entry in the place of one that was acknowledged gets none, and none is posted', async () => {
  const [id] = (await query('SELECT id FROM ledger_entries WHERE seq = 4')).rows.map((row) => row.id);
  const other = `${id.slice(0, -4)}AAAA`;
  await query('UPDATE ledger_entries SET id = $1 WHERE seq = 4', [other]);
  await expectRefused(/^This service has seen entry 4 of epoch 1 .* another entry in its place/);
  const posted = async () => (await query('SELECT count(*)::int AS n FROM bundles')).rows[0]?.n;
  await query("UPDATE ledger_entries SET accepted_at = accepted_at - interval '1 hour'");
  const before = await posted();
  await expect.poll(problem).toMatch(/another entry/);
  expect(await posted()).toBe(before);
  await query('UPDATE ledger_entries SET id = $1 WHERE seq = 4', [id]);
  expect((await write()).status).toBe(201);
});

test('the fence outlives the process, and a later epoch lifts it', async () => {
  const { dataDir, databaseUrl } = service;
  const recorded = () => readdirSync(join(dataDir, 'ledger-head', service.service.context.ledgerId)).join();
  const { seq } = (await query('SELECT seq FROM ledger_head')).rows[0];
  await expect.poll(recorded).toMatch(new RegExp(`^1-${seq}-[\\w-]{43}$`));
  await moveBack(2);
  const next = await startTestService({ DATA_DIR: dataDir, GATEWAY_URL: service.gatewayUrl }, { databaseUrl });
  expect((await next.post('/api/relayer/beo', creation())).body.code).toBe('UNAVAILABLE');
  await query('DELETE FROM ledger_entries WHERE seq > 2');
  await query('UPDATE ledger_head SET epoch = 2');
  expect((await next.post('/api/relayer/beo', creation())).status).toBe(201);
  await next.service.stop();
  await expect.poll(recorded).toMatch(/^2-3-[\w-]{43}$/);
});

test('a start on an empty database is refused where operations were accepted before', async () => {
  const { url, drop } = await freshDatabase();
  const start = startTestService({ DATA_DIR: service.dataDir, GATEWAY_URL: service.gatewayUrl }, { databaseUrl: url });
  await expect(start).rejects.toThrow(/^The database is empty, but .* run npm run restore/);
  const pool = createPool(url, 1, () => undefined);
  expect((await pool.query('SELECT FROM ledger_head')).rowCount).toBe(0);
  await pool.end();
  await drop();
});
