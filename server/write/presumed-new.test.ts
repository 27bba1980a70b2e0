import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from '../../protocol/canonical-json.ts';
import { createBEO } from '../../protocol/operations/create-beo.ts';
import { partiesOf } from '../http/rest/test-parties.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, freshDomain, newPerson, type SignedBody, type TestService } from '../test-service.ts';
import { accept } from './accept.ts';
import { create, createMany, service } from './test-alone.ts';

describe('what is to be new', () => {
  let now = 0;
  const sent: string[] = [];
  beforeEach(() => {
    now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { query } = pg.Client.prototype;
    const queries = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given) {
      sent.push((given as unknown as [{ name?: string } | null])[0]?.name ?? '');
      return Reflect.apply(query, this, given);
    });
    return () => {
      clock.mockRestore();
      queries.mockRestore();
    };
  });

  const LOOKS = ['used-nonces', 'load-names'];
  /** The names of the statements with which `work` looks for what is to be new. */
  async function looksOf(work: () => Promise<unknown>): Promise<string[]> {
    sent.length = 0;
    await work();
    return sent.filter((name) => LOOKS.includes(name));
  }

  const creation = (person = newPerson(), domain = freshDomain(), recovery: Json = null) =>
    person.sign('createBEO', { domain, publicKey: person.publicKey, recovery });

  /** Behind three creations, the last of which looked for nothing. */
  async function undisturbed(env: Record<string, string> = {}) {
    const alone = await service(env);
    expect(await createMany(alone, 2)).toEqual([201, 201]);
    expect(await looksOf(() => createMany(alone, 1))).toEqual([]);
    return alone;
  }

  async function another(alone: TestService): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: alone.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** Sends requests so that they make one batch, in their order, behind one that is held up until they wait; answers with theirs. */
  async function inOneBatch(alone: TestService, requests: readonly [path: string, body: SignedBody][]) {
    const holding = await another(alone);
    await holding.query('BEGIN; SELECT FROM ledger_head FOR UPDATE');
    const submissions = vi.spyOn(alone.service.context.committer, 'submit');
    const first = create(alone);
    await vi.waitUntil(() => submissions.mock.calls.length === 1, WAIT);
    await vi.waitUntil(async () => (await holding.query(WAITING_FOR_A_LOCK)).rowCount === 1, WAIT);
    const answers: Promise<Answer>[] = [];
    for (const [path, body] of requests) {
      answers.push(alone.post(path, body));
      // Two that are on their way at once may come in either order.
      await vi.waitUntil(() => submissions.mock.calls.length === 1 + answers.length, WAIT);
    }
    submissions.mockRestore();
    await holding.query('ROLLBACK');
    expect((await first).status).toBe(201);
    return Promise.all(answers);
  }
  const WAIT = { timeout: 60_000, interval: 5 };
  const WAITING_FOR_A_LOCK = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

  test('is not looked for, until something of it was there; then for a minute', async () => {
    const alone = await undisturbed();
    const body = creation();
    const first = await alone.post('/api/relayer/beo', body);
    expect(first.status).toBe(201);
    expect(await looksOf(() => createMany(alone, 3))).toEqual([]);

    const again = await alone.post('/api/relayer/beo', body);
    expect(again.body).toMatchObject({
      code: 'NONCE_REUSED',
      details: { transactionId: first.body.transactionId },
    });
    expect(await looksOf(() => createMany(alone, 2))).toEqual([...LOOKS, ...LOOKS]);

    now = 60_000;
    expect(await createMany(alone, 1)).toEqual([201]);
    expect(await looksOf(() => createMany(alone, 1))).toEqual([]);
    const { pool } = alone.service.context;
    expect(await wholeChain(pool)).toHaveLength(11);
  });

  test('is found by the write where it is there, and is left as it is', async () => {
    const alone = await undisturbed();
    const domain = freshDomain();
    const { beo_id: beoId } = (await alone.post('/api/relayer/beo', creation(newPerson(), domain))).body;
    const late = await alone.post('/api/relayer/beo', creation(newPerson(), domain));
    expect(late.body).toMatchObject({ code: 'DOMAIN_TAKEN' });
    expect((await alone.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(beoId);
    expect(await wholeChain(alone.service.context.pool)).toHaveLength(4);
  });

  test('is looked for before anything is refused for another reason', async () => {
    const alone = await undisturbed();
    const domain = freshDomain();
    expect((await create(alone, domain)).status).toBe(201);
    const person = newPerson();
    const guardians = ['primary', 'secondary'].map((role) => ({
      name: 'A',
      contact: 'b',
      role,
      public_key: person.publicKey,
    }));
    const twice = await alone.post('/api/relayer/beo', creation(person, domain, { guardians }));
    expect(twice.body).toMatchObject({ code: 'DOMAIN_TAKEN' });
  });

  test('is looked for before a request is told to come again', async () => {
    const alone = await undisturbed({ DAILY_BYTES: '1500', MAX_BACKLOG: '5', MAX_WINSTON_PER_BUNDLE: '1' });
    const person = newPerson();
    const { beo_id: beoId } = (await alone.post('/api/relayer/beo', creation(person))).body;
    const body = person.sign('lockBEO', { beoId });
    const first = await alone.post('/api/relayer/beo/lock', body);
    expect(first.status).toBe(200);
    // The backlog is read behind the clock, every so often: at the second reading of the clock the first was gone by.
    const upkeep = vi.spyOn(alone.service.context.clock, 'synchronise');
    await vi.waitUntil(() => upkeep.mock.calls.length >= 2, WAIT);
    expect((await alone.post('/api/relayer/beo/lock', body)).body).toMatchObject({
      code: 'NONCE_REUSED',
      details: { transactionId: first.body.transactionId },
    });
    expect((await create(alone)).body).toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('is looked for where it costs its key something: a used nonce is not charged', async () => {
    const alone = await undisturbed();
    const person = newPerson();
    const body = creation(person);
    const charge = vi.fn(async () => null);
    const looks = await looksOf(() => accept(alone.service.context, createBEO, body, { charge }));
    expect(looks).toEqual(['used-nonces']);
    expect(charge).toHaveBeenCalledExactlyOnceWith(person.publicKey);
    const again = accept(alone.service.context, createBEO, body, { charge });
    await expect(again).rejects.toMatchObject({ code: 'NONCE_REUSED' });
    expect(charge).toHaveBeenCalledOnce();
  });

  test('is found by the write where somebody took it in the same batch, or at once', async () => {
    const alone = await undisturbed();
    const domain = freshDomain();
    const body = creation();
    const path = '/api/relayer/beo';
    const [one, two, copy, copyAgain] = await inOneBatch(alone, [
      [path, creation(newPerson(), domain)],
      [path, creation(newPerson(), domain)],
      [path, body],
      [path, body],
    ]);
    expect([one?.status, two?.body.code, copy?.status, copyAgain?.body.code]).toEqual([
      201,
      'DOMAIN_TAKEN',
      201,
      'NONCE_REUSED',
    ]);
    expect(copyAgain?.body.details).toEqual({ transactionId: copy?.body.transactionId });
    expect((await alone.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(one?.body.beo_id);
    expect(await wholeChain(alone.service.context.pool)).toHaveLength(6);
  });

  test('is written beside what is changed, and both are counted', async () => {
    const alone = await undisturbed();
    const parties = partiesOf(alone);
    const known = await parties.newInstitution();
    const person = newPerson();
    const answers = await inOneBatch(alone, [
      ['/api/ieo', person.sign('createIEO', parties.ieoFields(person))],
      ['/api/ieo/lock', known.person.sign('lockIEO', { ieoId: known.id })],
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    const counts = ['', '?status=ACTIVE', '?status=LOCKED'].map(async (filter) => {
      const { body } = await alone.get(`/api/ieos${filter}`);
      return [body.count, body.ieos.length];
    });
    expect(await Promise.all(counts)).toEqual([
      [2, 2],
      [1, 1],
      [1, 1],
    ]);
    await wholeChain(alone.service.context.pool);
  });

  test('holds nobody up whose own batch is durable', async () => {
    const alone = await undisturbed();
    const [ahead, taking] = [await another(alone), await another(alone)];
    const domain = freshDomain();
    await ahead.query('BEGIN; SELECT FROM ledger_head FOR UPDATE');
    await taking.query('BEGIN');
    await taking.query(`INSERT INTO names (id, transaction_id, seq) VALUES ($1, 'somebody else’s', 1)`, [domain]);
    const submissions = vi.spyOn(alone.service.context.committer, 'submit');
    const first = create(alone);
    await vi.waitUntil(async () => (await ahead.query(WAITING_FOR_A_LOCK)).rowCount === 1, WAIT);
    let isAnswered = false;
    const second = create(alone, domain).finally(() => {
      isAnswered = true;
    });
    await vi.waitUntil(() => submissions.mock.calls.length === 2, WAIT);
    await ahead.query('ROLLBACK');
    expect((await first).status).toBe(201);
    expect(isAnswered).toBe(false);
    await taking.query('ROLLBACK');
    expect((await second).status).toBe(201);
  });
});
