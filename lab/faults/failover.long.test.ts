import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grant, newInstitution, submit } from '../../auditor/audit/test-institutions.ts';
import { newHolder, runHere } from '../../auditor/audit/test-operator.ts';
import { restoreKeepingPrivateRows } from '../../commands/backup/restore-files.ts';
import { exportRecords } from '../../server/features/records/export-records.ts';
import { wholeChain } from '../../server/ledger/test-chain.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { databaseProblem } from '../../server/platform/db/database-problem.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { creation } from '../../server/testing/test-load.ts';
import { type Replication, type Server, startReplication } from '../../server/testing/test-replication.ts';
import { type Answer, type SignedBody, startTestService, type TestService } from '../../server/testing/test-service.ts';

let servers: Replication;
let near: Server;
let far: Server;
let service: TestService;
beforeAll(async () => {
  servers = await startReplication(2);
  [near, far] = servers.standbys as [Server, Server];
  service = await startTestService({}, { databaseUrl: servers.url });
});
afterAll(async () => {
  await service.stop();
  await servers.remove();
});

const create = (body: SignedBody) => service.post('/api/relayer/beo', body);
const expectWritesWork = () => expect.poll(async () => (await create(creation())).status, { interval: 100 }).toBe(201);

async function portOf(url: string): Promise<number> {
  const pool = createPool(url, 1, () => undefined);
  const { rows } = await pool.query("SELECT current_setting('port')::int AS port").finally(() => pool.end());
  return rows[0].port;
}

test('of several hosts the primary is used, and a start on standbys alone is refused', async () => {
  expect(await portOf(servers.url)).toBe(servers.primary.port);
  expect(await databaseProblem(servers.url)).toBeNull();
  const standby = /^DATABASE_URL names only a standby, which is read-only; /;
  expect(await databaseProblem(near.url)).toMatch(standby);
  expect(await databaseProblem(servers.url.replace(`,127.0.0.1:${servers.primary.port}`, ''))).toMatch(standby);
});

interface Sent {
  readonly body: SignedBody;
  readonly answer: Answer;
  readonly at: number;
}

/** A holder with a health record that an institution submitted. Returns a function that exports the record from a service. */
async function storedRecord() {
  const { service: writing } = service;
  const [lab, holder] = [await newInstitution(writing), await newHolder(writing)];
  await submit(writing, lab, holder, await grant(writing, holder, lab.ieoId, ['SUBMIT_RECORD']));
  const own = await grant(writing, holder, holder.domain, ['EXPORT_DATA']);
  const use = { targetBeo: holder.beoId, consentToken: own.tokenId, format: 'CSV' };
  return async ({ service: { context } }: TestService) =>
    (await exportRecords(context, holder.person.sign('sovereignExport', use))).recordCount;
}
let countRecords: Awaited<ReturnType<typeof storedRecord>>;

test('if the primary is killed under load, its synchronous standby has every acknowledged operation', async () => {
  await expectWritesWork();
  countRecords = await storedRecord();
  await servers.caughtUp(far);
  await far.cut();
  await servers.synchronise([near]);
  let over = false;
  const sent: Sent[] = [];
  const connection = async () => {
    while (!over) {
      const body = creation();
      const answer = await create(body);
      sent.push({ body, answer, at: performance.now() });
      if (answer.status !== 201) await sleep(20);
    }
  };
  const sending = Promise.all([connection(), connection(), connection(), connection()]);
  await expect.poll(() => sent.length).toBeGreaterThan(100);
  await servers.primary.kill();
  const killedAt = performance.now();
  await near.promote();
  await expect.poll(() => sent.some(({ answer, at }) => answer.status === 201 && at > killedAt + 500)).toBe(true);
  over = true;
  await sending;
  const accepted = sent.filter(({ answer }) => answer.status === 201);
  const times = accepted.map(({ at }) => at).sort((one, other) => one - other);
  const longest = Math.max(...times.map((at, index) => at - (times[index - 1] ?? at)));
  if (process.env.TEST_FIGURES) console.log(`${(longest / 1000).toFixed(2)} s without writes`);

  const entries = new Map((await wholeChain(service.service.context.pool)).map((entry) => [entry.id, entry]));
  const lost = accepted.filter(({ answer }) => !entries.has(answer.body.transactionId));
  expect(lost).toEqual([]);
  for (const { body, answer } of sent) {
    if (answer.status === 201) continue;
    expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect([201, 'NONCE_REUSED']).toContain(await create(body).then((again) => again.body.code ?? again.status));
  }
  const ready = async () => (await service.get('/ready')).body.ledger.ok;
  expect(await ready()).toBe(true);
});

test('a former primary that is started again is not used', async () => {
  await servers.primary.start();
  expect(await portOf(servers.url)).toBe(near.port);
  await servers.primary.kill();
});

test('if a standby is promoted that lacks acknowledged operations, the service refuses writes and serves reads', async () => {
  await near.kill();
  await far.promote();
  const write = async () => (await create(creation())).body.error;
  await expect.poll(write, { interval: 100 }).toMatch(/^The database has lost operations/);
  const ready = async () => (await service.get('/ready')).body;
  await expect.poll(ready, { interval: 100 }).toMatchObject({
    status: 'unavailable',
    database: { ok: true },
    ledger: {
      ok: false,
      problem: expect.stringMatching(/acknowledged operations are lost\. .* npm run restore -- --keep-private on this/),
    },
  });
  // A head of the lost history is not signed.
  expect((await service.get('/api/ledger')).status).toBe(503);
  expect((await service.get('/api/ledger/entries')).status).toBe(200);
});

test('what /ready says to do on that standby keeps its health records, and the service accepts writes again', async () => {
  await service.service.stop();
  const { dataDir, gatewayUrl, devnet } = service;
  const settings = { DATA_DIR: dataDir, RATE_LIMIT: 'off', DATABASE_URL: far.url };
  const network = { gateway: [gatewayUrl], wallet: loadWallet(devnet.wallet).address };
  const restored = await runHere((parts) => restoreKeepingPrivateRows(network, parts), settings);
  expect(restored.text).toMatch(/^Epoch 2 begins/m);
  expect(restored.result).toBe('clean');
  const next = await startTestService({ DATA_DIR: dataDir, GATEWAY_URL: gatewayUrl }, { databaseUrl: servers.url });
  expect((await next.post('/api/relayer/beo', creation())).status).toBe(201);
  expect(await countRecords(next)).toBe(1);
  await next.stop();
});
