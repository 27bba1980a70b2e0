import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { migrate } from '../../platform/db/migrate.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  startBeside,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import { submitAsOneBatch, tally } from '../../write/test-races.ts';
import { type ConsentParties, EVERYTHING, type Exchange, exchangeOf, measurements } from '../records/test-exchange.ts';

const LIMIT = 60_000;

/** Two processes on one database. */
let first: TestService;
let second: TestService;
let exchange: Exchange;
let secondExchange: Exchange;
let pool: Pool;
beforeAll(async () => {
  const limits = { MAX_BYTES_PER_BEO: String(LIMIT), MAX_BYTES_PER_IEO: String(2 * LIMIT) };
  first = await startTestService(limits);
  second = await startBeside(first, limits);
  exchange = exchangeOf(first);
  secondExchange = exchangeOf(second);
  pool = first.service.context.pool;
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const sum = async (statement: string, values: unknown[] = []): Promise<number> =>
  Number(
    (await pool.query(`SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (${statement}) s`, values)).rows[0].bytes,
  );

/** The counted bytes, and the bytes in the tables. */
async function storedFor(ownerId: string) {
  const counted = await sum('SELECT bytes FROM stored_bytes WHERE owner_id = $1', [ownerId]);
  const found = await sum(
    `SELECT octet_length(ciphertext) AS bytes FROM records WHERE owner_id = $1 UNION ALL
     SELECT octet_length(ciphertext) FROM vault_rows WHERE owner_id = $1 AND id LIKE 'sealed:%'`,
    [ownerId],
  );
  return { counted, found };
}

const storedBy = (byId: string) => sum('SELECT bytes FROM stored_by WHERE by_id = $1', [byId]);
const storedInTotal = () => storedBy('00000000-0000-0000-0000-000000000000');

const large = (count: number) => measurements(count, (index) => ({ note: `${index}`.padEnd(2_000, 'x') }));

/** Submits batches until one is refused. @returns its response */
async function fill(use: ConsentParties, through = exchange, count = 4): Promise<Answer> {
  for (let batches = 0; batches < 30; batches += 1) {
    const answer = await through.submit(use, large(count));
    if (answer.status !== 201) return answer;
  }
  throw new Error('Every batch was accepted.');
}

const invite = ({ holder }: ConsentParties, name: string) => {
  const guardian = { name, contact: `${name}@example.org`, role: 'primary' };
  return first.post(
    '/api/guardian/invite',
    exchange.parties.sign(holder.person, 'inviteGuardian', { beoId: holder.id, ...guardian }),
  );
};

describe('the bytes of a person', () => {
  test('are counted exactly, and refused beyond the limit without storing anything', async () => {
    const use = await exchange.newConsent();
    const refused = await fill(use);
    expectRefusal(refused, 'STORAGE_LIMIT_REACHED');
    const { counted, found } = await storedFor(use.holder.id);
    expect(counted).toBe(found);
    expect(counted).toBeGreaterThan(LIMIT / 2);
    expect(counted).toBeLessThanOrEqual(LIMIT);
    expect(refused.body.details).toEqual({ quota: 'BEO', limit: LIMIT, used: counted });
    const total = (await exchange.page(use)).total;
    expectRefusal(await secondExchange.submit(use, large(4)), 'STORAGE_LIMIT_REACHED');
    expect((await exchange.page(use)).total).toBe(total);
    const { holder: unaffected } = await exchange.newConsent(EVERYTHING, { by: use.by });
    expect((await storedFor(unaffected.id)).counted).toBe(0);
  });

  test('do not exceed the limit with concurrent requests through two processes', async () => {
    const use = await exchange.newConsent();
    const through = [exchange, secondExchange] as const;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => (through[index % 2] ?? exchange).submit(use, large(3))),
    );
    const { 201: accepted = 0, STORAGE_LIMIT_REACHED: refused = 0 } = tally(answers);
    expect(accepted + refused).toBe(24);
    const { counted, found } = await storedFor(use.holder.id);
    expect(counted).toBe(found);
    expect(counted).toBeLessThanOrEqual(LIMIT);
    expect(counted + counted / accepted).toBeGreaterThan(LIMIT);
  });

  test('do not exceed the limit in one batch either', async () => {
    const use = await exchange.newConsent();
    const answers = await submitAsOneBatch(
      first,
      Array.from({ length: 12 }, () => () => exchange.submit(use, large(3))),
    );
    const { 201: accepted = 0, STORAGE_LIMIT_REACHED: refused = 0 } = tally(answers);
    expect(accepted + refused).toBe(12);
    const { counted, found } = await storedFor(use.holder.id);
    expect(counted).toBe(found);
    expect(counted).toBeLessThanOrEqual(LIMIT);
  });

  test('are not part of the public identity', async () => {
    const use = await exchange.newConsent();
    const before = (await first.get(`/api/beos/${use.holder.id}`)).body.beo;
    await exchange.submitted(use, large(2));
    const after = (await first.get(`/api/beos/${use.holder.id}`)).body.beo;
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(JSON.stringify(after)).not.toMatch(/bytes|stored/);
  });

  test('at the limit because of institutions do not prevent the holder from changing guardians', async () => {
    const use = await exchange.newConsent();
    expectRefusal(await fill(use), 'STORAGE_LIMIT_REACHED');
    const invited = await invite(use, 'ana');
    expect(invited.status, JSON.stringify(invited.body)).toBe(201);
    const { counted, found } = await storedFor(use.holder.id);
    expect(counted).toBe(found);
    expect(
      await sum('SELECT bytes FROM stored_bytes WHERE owner_id = by_id AND owner_id = $1', [use.holder.id]),
    ).toBeGreaterThan(0);
  });

  test('are released when the identity is destroyed, for the institution too', async () => {
    const [use, total] = [await exchange.newConsent(), await storedInTotal()];
    const remaining = await exchange.newConsent(EVERYTHING, { by: use.by });
    await exchange.submitted(remaining, large(2));
    const remainingBytes = await storedBy(use.by.id);
    await exchange.submitted(use, large(4));
    await invite(use, 'eva');
    expect(await storedBy(use.by.id)).toBeGreaterThan(remainingBytes);
    expect((await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    expect(await storedBy(use.by.id)).toBe(remainingBytes);
    expect(await storedInTotal()).toBe(total + remainingBytes);
    expect((await storedFor(use.holder.id)).counted).toBe(0);
    expect(await sum('SELECT bytes FROM stored_bytes')).toBe(await storedInTotal());
  });
});

describe('the bytes of an institution', () => {
  test('are counted over all people, and limited per institution', async () => {
    const use = await exchange.newConsent();
    let refused = await fill(use);
    for (let people = 1; refused.body.details.quota === 'BEO'; people += 1) {
      expect(people).toBeLessThan(5);
      refused = await fill(await exchange.newConsent(EVERYTHING, { by: use.by }));
    }
    expectRefusal(refused, 'STORAGE_LIMIT_REACHED');
    expect(refused.body.details).toEqual({ quota: 'IEO', limit: 2 * LIMIT, used: await storedBy(use.by.id) });
    await exchange.submitted(await exchange.newConsent(EVERYTHING), large(4));
  });
});

/** What exists was created 31 days earlier. */
async function makeOld({ service }: TestService): Promise<void> {
  for (const table of ['beos', 'ieos'])
    await service.context.pool.query(`UPDATE ${table} SET created_at = created_at - interval '31 days'`);
}

describe('the bytes of identities and uncertified institutions in their first 30 days', () => {
  const MAX = 80_000;
  let small: TestService;
  let stored: (statement: string) => Promise<number>;
  beforeAll(async () => {
    small = await startTestService({ MAX_STORED_BYTES: `${MAX}` });
    stored = async (statement) => Number((await small.service.context.pool.query(statement)).rows[0].bytes);
  });
  afterAll(() => small.stop());

  const sealedCreation = () => {
    const person = newPerson();
    const guardians = [{ name: 'n'.repeat(80), contact: 'ana@example.org', role: 'primary' }];
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians } };
    return small.post('/api/relayer/beo', person.sign('createBEO', fields));
  };
  const bytesInVault = `SELECT sum(octet_length(ciphertext)) AS bytes FROM vault_rows WHERE id LIKE 'sealed:%'`;

  test('are at most a quarter of the space, with sealed creations counted exactly', async () => {
    const [smallExchange, pool] = [exchangeOf(small), small.service.context.pool];
    const established = await smallExchange.newConsent();
    const certified = await smallExchange.newConsent();
    await makeOld(small);
    const institution = await smallExchange.newConsent();
    const accepted: string[] = [];
    let refused = await sealedCreation();
    for (let times = 0; refused.status === 201 && times < 200; times += 1) {
      accepted.push(refused.body.beo_id);
      refused = await sealedCreation();
    }
    expectRefusal(refused, 'STORAGE_LIMIT_REACHED');
    const used = await stored(bytesInVault);
    expect(refused.body.details).toEqual({ quota: 'SERVICE', limit: MAX / 4, used });
    expect(await stored("SELECT bytes FROM stored_by WHERE by_id = '00000000-0000-0000-0000-000000000000'")).toBe(used);
    expectRefusal(await smallExchange.submit(institution, large(1)), 'STORAGE_LIMIT_REACHED');
    expect((await small.get('/ready')).body.storage).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^Identities and uncertified institutions .* Most is stored by [0-9a-f-]{36} \(/),
    });
    expect((await small.get('/metrics')).body).toContain(`perpetua_stored_bytes_new ${used}\n`);

    // An established institution and a certified new one are not theirs.
    await smallExchange.submitted(established, large(1));
    await smallExchange.submitted(certified, large(1));
    await smallExchange.parties.institute('certification', { ieoId: institution.by.id, level: 'BASIC' }, 1);
    await smallExchange.submitted(institution, large(1));
    expect((await sealedCreation()).body.details).toMatchObject({ used });
    await pool.query("UPDATE ieos SET cert_level = 'UNCERTIFIED' WHERE id = $1", [institution.by.id]);
    expect((await sealedCreation()).body.details.used).toBeGreaterThan(used);
    await pool.query("UPDATE ieos SET cert_level = 'BASIC' WHERE id = $1", [institution.by.id]);

    // A holder who is not young can change guardians; a young one can still remove them. It is more than the creation that was refused.
    const guardians = ['primary', 'secondary', 'tertiary'].map((role) => ({
      name: 'n'.repeat(80),
      contact: 'ana@example.org',
      role,
    }));
    const change = async ({ holder }: typeof institution) =>
      smallExchange.parties.beo(holder, 'recovery', 'updateRecovery', { recovery: { guardians } });
    expect((await change(established)).status).toBe(200);
    expect((await change(institution)).body.code).toBe('STORAGE_LIMIT_REACHED');
  }, 120_000);
});

describe('the bytes of the service', () => {
  test('have their own limit, shown by /ready and /metrics', async () => {
    const small = await startTestService({ MAX_STORED_BYTES: '30000' });
    try {
      const [smallExchange, db] = [exchangeOf(small), small.service.context.pool];
      const use = await smallExchange.newConsent();
      await makeOld(small);
      expect((await small.get('/ready')).body.storage).toEqual({ ok: true, used_bytes: 0, max_bytes: 30_000 });
      const refused = await fill(use, smallExchange, 1);
      expectRefusal(refused, 'STORAGE_LIMIT_REACHED');
      const { rows } = await db.query('SELECT sum(bytes)::int AS used FROM stored_bytes');
      const { used } = rows[0];
      expect(refused.body.details).toEqual({ quota: 'SERVICE', limit: 30_000, used });
      const { body: metrics } = await small.get('/metrics');
      expect(metrics).toContain(`perpetua_stored_bytes ${used}\n`);
      expect(metrics).toContain('perpetua_stored_bytes_limit 30000\n');
      const guardians = { guardians: [{ name: 'Ana', contact: 'ana@example.org', role: 'primary' }] };
      const { status } = await smallExchange.parties.beo(use.holder, 'recovery', 'updateRecovery', {
        recovery: guardians,
      });
      expect(status).toBe(200);
      await expect
        .poll(async () => (await small.get('/ready')).body)
        .toMatchObject({
          status: 'degraded',
          storage: { ok: false, problem: expect.stringMatching(`\\d+ % .* Most is stored by ${use.by.id} \\(`) },
        });
      expect(metrics).toContain(`perpetua_stored_bytes_largest{id="${use.by.id}"} ${used}\n`);
    } finally {
      await small.stop();
    }
  });
});

describe('data stored by an earlier version', () => {
  test('is counted by the migration', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, large(4));
    const before = await storedFor(use.holder.id);
    const total = await storedInTotal();
    await pool.query('DROP TABLE stored_bytes, stored_by; DROP FUNCTION sum_stored_bytes');
    await pool.query(`DELETE FROM migrations WHERE name = '013-stored-bytes'`);
    expect(await migrate(pool)).toEqual(['013-stored-bytes']);
    expect(await storedFor(use.holder.id)).toEqual(before);
    expect(await storedInTotal()).toBe(total);
    await exchange.submitted(use, large(1));
    expect((await storedFor(use.holder.id)).counted).toBeGreaterThan(before.counted);
  });
});
