import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inFull } from '../../protocol/test-amount.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { adminUrlOf } from '../platform/db/test-database.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { batchSizes } from './queue.ts';
import { partiesOf } from './test-parties.ts';
import { submitAsOneBatch } from './test-races.ts';

const longTest = inFull(test);

async function service(...options: Parameters<typeof startTestService>): Promise<TestService> {
  const started = await startTestService(...options);
  onTestFinished(() => started.stop());
  return started;
}

const creation = (person = newPerson(), domain = freshDomain()) =>
  person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });

const create = ({ post }: TestService, body = creation()): Promise<Answer> => post('/api/relayer/beo', body);

test('two processes with one database extend one chain', async () => {
  const first = await service();
  const second = await service(
    { DATA_DIR: first.dataDir, GATEWAY_URL: first.gatewayUrl },
    { databaseUrl: first.databaseUrl },
  );
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([create(first), create(second), create(first), create(second)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  }
  expect(await wholeChain(first.service.context.pool)).toHaveLength(12);
});

test('in one batch the first request gets a domain, and a copy of a request is refused with its transaction', async () => {
  const running = await service();
  const domain = freshDomain();
  const body = creation();
  const [, winner, loser, original, copy] = await submitAsOneBatch(running, [
    () => create(running),
    () => create(running, creation(newPerson(), domain)),
    () => create(running, creation(newPerson(), domain)),
    () => create(running, body),
    () => create(running, body),
  ]);
  expect([winner?.status, loser?.body.code, original?.status, copy?.body.code]).toEqual([
    201,
    'DOMAIN_TAKEN',
    201,
    'NONCE_REUSED',
  ]);
  expect(copy?.body.details).toEqual({ transactionId: original?.body.transactionId });
  expect((await running.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(winner?.body.beo_id);
  expect(await wholeChain(running.service.context.pool)).toHaveLength(3);
});

test('a batch takes operations with a reserve first, and leaves a quarter to others that wait', () => {
  const line = (count: number, ciphertextBytes = 0) =>
    Array.from({ length: count }, () => ({ submission: { ciphertextBytes } }));
  expect(batchSizes(line(1), line(4_000))).toEqual({ reserved: 1, others: 255 });
  expect(batchSizes(line(4_000), line(4_000))).toEqual({ reserved: 192, others: 64 });
  expect(batchSizes(line(4_000), line(3))).toEqual({ reserved: 192, others: 3 });
  expect(batchSizes(line(4_000), [])).toEqual({ reserved: 256, others: 0 });
  expect(batchSizes([], line(2, 9_000_000))).toEqual({ reserved: 0, others: 1 });
  expect(batchSizes(line(2), line(2, 9_000_000))).toEqual({ reserved: 2, others: 0 });
});

longTest('an operation with a reserve joins the next batch, however many identities were waiting', async () => {
  const running = await service();
  const parties = partiesOf(running);
  const holder = await parties.newHolder();
  const bodies = Array.from({ length: 300 }, () => creation());
  const answers = await submitAsOneBatch(running, [
    ...bodies.map((body) => () => create(running, body)),
    () => parties.beo(holder, 'lock', 'lockBEO'),
  ]);
  expect(answers.every(({ status }) => status < 300)).toBe(true);
  const { rows } = await running.service.context.pool.query<{ seq: number }>(
    "SELECT seq FROM ledger_entries WHERE function = 'lockBEO'",
  );
  // The holder, the creation that began the first batch, then a batch of 256, in the order of arrival. If the holder's batch
  // waited for the lock, the first one is of 256.
  expect([2 + 256, 1 + 256]).toContain(rows[0]?.seq);
});

test('a batch that creates and changes institutions updates the counters for both', async () => {
  const running = await service();
  const parties = partiesOf(running);
  const existing = await parties.newInstitution();
  const person = newPerson();
  const answers = await submitAsOneBatch(running, [
    () => create(running),
    () => running.post('/api/ieo', person.sign('createIEO', parties.ieoFields(person))),
    () => running.post('/api/ieo/lock', existing.person.sign('lockIEO', { ieoId: existing.id })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
  const counts = ['', '?status=ACTIVE', '?status=LOCKED'].map(async (filter) => {
    const { body } = await running.get(`/api/ieos${filter}`);
    return [body.count, body.ieos.length];
  });
  expect(await Promise.all(counts)).toEqual([
    [2, 2],
    [1, 1],
    [1, 1],
  ]);
});

test('an operation that fails unexpectedly does not fail the others of its batch', async () => {
  const running = await service();
  const parties = partiesOf(running);
  const { person, id } = await parties.newHolder();
  const invite = (role: string) => () =>
    running.post(
      '/api/guardian/invite',
      person.sign('inviteGuardian', { beoId: id, name: 'Ada', contact: 'ada@example.org', role }),
    );
  expect((await invite('primary')()).status).toBe(201);
  const { pool } = running.service.context;
  // The data key no longer decrypts, so that every batch that needs it fails.
  await pool.query("UPDATE vault_keys SET wrapped = wrapped || '\\x00'");
  const [, before, failed, after] = await submitAsOneBatch(running, [
    () => create(running),
    () => create(running),
    invite('secondary'),
    () => create(running),
  ]);
  expect([before?.status, failed?.body.code, after?.status]).toEqual([201, 'INTERNAL', 201]);
  expect(await wholeChain(pool)).toHaveLength(5);
});

longTest('a batch that a deadlock aborted is committed on the next attempt', async () => {
  const first = await service();
  // Only a superuser may set deadlock_timeout.
  const blocker = new pg.Client({ connectionString: adminUrlOf(first.databaseUrl) });
  await blocker.connect();
  onTestFinished(() => blocker.end());
  // PostgreSQL aborts the transaction that detects the deadlock: with this timeout, the batch.
  await blocker.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'; LOCK TABLE names IN ACCESS EXCLUSIVE MODE`);
  const created = create(first);
  const { pool } = first.service.context;
  const isWaiting = `SELECT FROM pg_locks AS held JOIN pg_locks AS awaited USING (pid)
    WHERE held.relation = 'ledger_head'::regclass AND awaited.relation = 'names'::regclass AND NOT awaited.granted`;
  await vi.waitUntil(async () => (await pool.query(isWaiting)).rowCount === 1, { timeout: 240_000, interval: 5 });
  await blocker.query('SELECT FROM ledger_head FOR UPDATE');
  await blocker.query('ROLLBACK');
  expect((await created).status).toBe(201);
  expect(await wholeChain(pool)).toHaveLength(1);
});
