import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { adminUrlOf } from '../db/test-database.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../test-service.ts';
import { partiesOf } from './test-parties.ts';
import { submitAsOneBatch } from './test-races.ts';

async function service(...options: Parameters<typeof startTestService>): Promise<TestService> {
  const started = await startTestService(...options);
  onTestFinished(() => started.stop());
  return started;
}

const creation = (person = newPerson(), domain = freshDomain()) =>
  person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });

const create = ({ post }: TestService, body = creation()): Promise<Answer> => post('/api/relayer/beo', body);

test('two processes on one database take turns at the head of one chain', async () => {
  const one = await service();
  const two = await service({ DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl }, { databaseUrl: one.databaseUrl });
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([create(one), create(two), create(one), create(two)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  }
  expect(await wholeChain(one.service.context.pool)).toHaveLength(12);
});

test('the chain goes on from the head that the database has, also where that has gone back', async () => {
  const one = await service();
  for (let count = 0; count < 3; count++) expect((await create(one)).status).toBe(201);
  const { pool } = one.service.context;
  await pool.query('DELETE FROM ledger_entries WHERE seq = 3');
  await pool.query('UPDATE ledger_head SET (seq, id) = (SELECT seq, id FROM ledger_entries WHERE seq = 2)');
  expect((await create(one)).status).toBe(201);
  expect((await wholeChain(pool)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('in one batch a domain goes to the first, and a copy of a request is refused with its transaction', async () => {
  const alone = await service();
  const domain = freshDomain();
  const body = creation();
  const [, one, two, copy, copyAgain] = await submitAsOneBatch(alone, [
    () => create(alone),
    () => create(alone, creation(newPerson(), domain)),
    () => create(alone, creation(newPerson(), domain)),
    () => create(alone, body),
    () => create(alone, body),
  ]);
  expect([one?.status, two?.body.code, copy?.status, copyAgain?.body.code]).toEqual([
    201,
    'DOMAIN_TAKEN',
    201,
    'NONCE_REUSED',
  ]);
  expect(copyAgain?.body.details).toEqual({ transactionId: copy?.body.transactionId });
  expect((await alone.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(one?.body.beo_id);
  expect(await wholeChain(alone.service.context.pool)).toHaveLength(3);
});

test('a batch that creates and changes institutions counts both', async () => {
  const alone = await service();
  const parties = partiesOf(alone);
  const existing = await parties.newInstitution();
  const person = newPerson();
  const answers = await submitAsOneBatch(alone, [
    () => create(alone),
    () => alone.post('/api/ieo', person.sign('createIEO', parties.ieoFields(person))),
    () => alone.post('/api/ieo/lock', existing.person.sign('lockIEO', { ieoId: existing.id })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
  const counts = ['', '?status=ACTIVE', '?status=LOCKED'].map(async (filter) => {
    const { body } = await alone.get(`/api/ieos${filter}`);
    return [body.count, body.ieos.length];
  });
  expect(await Promise.all(counts)).toEqual([
    [2, 2],
    [1, 1],
    [1, 1],
  ]);
});

test('an operation that fails unexpectedly does not fail the others of its batch', async () => {
  const alone = await service();
  const parties = partiesOf(alone);
  const { person, id } = await parties.newHolder();
  const invite = (role: string) => () =>
    alone.post(
      '/api/guardian/invite',
      person.sign('inviteGuardian', { beoId: id, name: 'Ada', contact: 'ada@example.org', role }),
    );
  expect((await invite('primary')()).status).toBe(201);
  const { pool } = alone.service.context;
  // The data key then does not decrypt, which ends every batch that needs it.
  await pool.query("UPDATE vault_keys SET wrapped = wrapped || '\\x00'");
  const [, before, failed, after] = await submitAsOneBatch(alone, [
    () => create(alone),
    () => create(alone),
    invite('secondary'),
    () => create(alone),
  ]);
  expect([before?.status, failed?.body.code, after?.status]).toEqual([201, 'INTERNAL', 201]);
  expect(await wholeChain(pool)).toHaveLength(5);
});

test('a batch that a deadlock ended is committed at the next attempt', async () => {
  const one = await service();
  // Only a superuser may look for deadlocks later than others do.
  const another = new pg.Client({ connectionString: adminUrlOf(one.databaseUrl) });
  await another.connect();
  onTestFinished(() => another.end());
  // PostgreSQL ends the transaction that notices the deadlock first: after a second the batch, and not this one.
  await another.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'; LOCK TABLE names IN ACCESS EXCLUSIVE MODE`);
  const created = create(one);
  const { pool } = one.service.context;
  const isWaiting = `SELECT FROM pg_locks AS held JOIN pg_locks AS awaited USING (pid)
    WHERE held.relation = 'ledger_head'::regclass AND awaited.relation = 'names'::regclass AND NOT awaited.granted`;
  await vi.waitUntil(async () => (await pool.query(isWaiting)).rowCount === 1, { timeout: 60_000, interval: 5 });
  await another.query('SELECT FROM ledger_head FOR UPDATE');
  await another.query('ROLLBACK');
  expect((await created).status).toBe(201);
  expect(await wholeChain(pool)).toHaveLength(1);
});
