import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { type Answer, startTestService, type TestService } from '../test-service.ts';
import { submitAsOneBatch, tally } from '../write/test-races.ts';
import { EXPORT, type Exchange, exchangeOf, measurement, measurements, type Relation } from './test-exchange.ts';
import { slowly } from './test-exports.ts';

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
let exchange: Exchange;
let throughTwo: Exchange;
let pool: Pool;
beforeAll(async () => {
  one = await startTestService();
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = await startTestService(shared, { databaseUrl: one.databaseUrl });
  exchange = exchangeOf(one);
  throughTwo = exchangeOf(two);
  pool = one.service.context.pool;
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const OWNED = ['vault_keys', 'vault_rows', 'records', 'record_counts', 'access_events'];

async function left(ownerId: string): Promise<Record<string, number>> {
  const counts = OWNED.map(async (table): Promise<[string, number]> => {
    const { rows } = await pool.query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [ownerId]);
    return [table, rows.length];
  });
  return Object.fromEntries(await Promise.all(counts));
}

const NOTHING = Object.fromEntries(OWNED.map((table) => [table, 0]));
const destroy = ({ holder }: Relation): Promise<Answer> => exchange.parties.beo(holder, 'destroy', 'destroyBEO');

async function livedWith(): Promise<Relation> {
  const use = await exchange.related();
  const { record_ids } = await exchange.submitted(use, measurements(3));
  await exchange.submitted(use, [measurement({ supersedes: record_ids[0] })]);
  await exchange.page(use);
  await exchange.taken(use, 'CSV');
  return use;
}

describe('of somebody who is gone', () => {
  test('there is no record, no counter, no access event, no sealed message and no key left, and of others all', async () => {
    const [gone, kept] = [await livedWith(), await livedWith()];
    const full = { vault_keys: 1, vault_rows: 2, records: 4, record_counts: 2, access_events: 4 };
    expect(await left(gone.holder.id)).toEqual(full);
    expect((await destroy(gone)).status).toBe(200);
    expect(await left(gone.holder.id)).toEqual(NOTHING);
    expect(await left(kept.holder.id)).toEqual(full);
    expect((await exchange.page(kept)).total).toBe(3);
  });

  test('nothing of records is left in any table, whatever its columns are called', async () => {
    const use = await livedWith();
    const { records } = await exchange.page(use);
    expect((await destroy(use)).status).toBe(200);
    const { rows: columns } = await pool.query<{ name: string; has: string }>(
      `SELECT quote_ident(table_name) AS name, string_agg(quote_ident(column_name), ',') AS has
       FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
    );
    const places: string[] = [];
    for (const { name } of columns) {
      const { rows } = await pool.query(`SELECT 1 FROM ${name} t WHERE t::text LIKE ANY($1)`, [
        records.map(({ record_id }: { record_id: string }) => `%${record_id}%`),
      ]);
      if (rows.length > 0) places.push(name);
    }
    expect(places).toEqual([]);
  });

  test('the consent and the number of records stay on the ledger, and nothing that says what they were', async () => {
    const use = await livedWith();
    const { rows: before } = await pool.query('SELECT item FROM ledger_entries WHERE entity_id = $1', [use.tokenId]);
    await destroy(use);
    const { rows: after } = await pool.query('SELECT item FROM ledger_entries WHERE entity_id = $1', [use.tokenId]);
    expect(after).toEqual(before);
    expect(after).toHaveLength(3);
  });
});

describe('of a submission that was refused', () => {
  test('nothing is left in the vault of somebody who has no records', async () => {
    const use = await exchange.related();
    const other = await exchange.related();
    expectRefusal(await exchange.submit({ ...use, by: other.by }, measurements(1)), 'INVALID_SIGNATURE');
    expect((await exchange.submit(use, [measurement({ unit: '' })])).status).toBe(422);
    expect((await exchange.submit(use, [measurement({ beo_id: other.holder.id })])).status).toBe(422);
    await exchange.parties.revoke(use.holder, use.tokenId);
    expectRefusal(await exchange.submit(use, measurements(1)), 'TOKEN_REVOKED');
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });
});

describe('a destruction in the midst of submissions', () => {
  test('leaves nothing, whoever comes first, through two processes', async () => {
    const use = await livedWith();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => (index % 2 ? exchange : throughTwo).submit(use, measurements(20))),
      destroy(use),
      ...Array.from({ length: 10 }, (_, index) => (index % 2 ? exchange : throughTwo).submit(use, measurements(20))),
    ]);
    for (const { status, body } of answers) expect([200, 201, 410], JSON.stringify(body)).toContain(status);
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });

  test('leaves nothing where all of it is ordered together, and tells the later ones that it is gone', async () => {
    const use = await exchange.related();
    const submit = () => exchange.submit(use, measurements(5));
    const answers = await submitAsOneBatch(one, [submit, submit, () => destroy(use), submit]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 410]);
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });
});

/** Lets destruction wait at the data key while others read, and then goes first. */
async function destroyedDuring(use: Relation, ask: () => Promise<Answer>): Promise<Answer[]> {
  const client = await pool.connect();
  const waiting = async (): Promise<number> => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM vault_keys WHERE owner_id = $1 FOR UPDATE', [use.holder.id]);
    const destruction = destroy(use);
    await expect.poll(waiting, { interval: 5 }).toBe(1);
    const asked = ask();
    await expect.poll(waiting, { interval: 5 }).toBe(2);
    await client.query('COMMIT');
    return await Promise.all([destruction, asked]);
  } finally {
    client.release(true);
  }
}

describe('a destruction in the midst of a', () => {
  test('read tells that the identity is gone, and shows nothing that was not told of', async () => {
    const use = await livedWith();
    const [destruction, read] = await destroyedDuring(use, () => exchange.read(use));
    expect(destruction?.status).toBe(200);
    if (read) expectRefusal(read, 'BEO_DESTROYED');
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });

  test('export tells that the identity is gone', async () => {
    const use = await livedWith();
    const [destruction, taken] = await destroyedDuring(use, () => exchange.take(use, 'JSON'));
    expect(destruction?.status).toBe(200);
    if (taken) expectRefusal(taken, 'BEO_DESTROYED');
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });

  test('crowd of reads never fails for another reason', async () => {
    const use = await livedWith();
    const reads = (count: number) =>
      Array.from({ length: count }, (_, index) => (index % 2 ? exchange : throughTwo).read(use));
    const answers = await Promise.all([...reads(15), destroy(use), ...reads(15)]);
    for (const code of Object.keys(tally(answers))) expect(['200', 'BEO_DESTROYED']).toContain(code);
    expect(await left(use.holder.id)).toEqual(NOTHING);
  });
});

describe('a ciphertext in another place', () => {
  const swap = (table: string, from: string, to: string) =>
    pool.query(`UPDATE ${table} SET ciphertext = (SELECT ciphertext FROM ${table} WHERE id = $1) WHERE id = $2`, [
      from,
      to,
    ]);

  const withOne = async (value: string) => {
    const use = await exchange.related();
    const { record_ids } = await exchange.submitted(use, [measurement({ value }), measurement({ value })]);
    return { use, ids: record_ids as string[] };
  };

  async function expectFailure(answer: Answer, secret: string): Promise<void> {
    expectRefusal(answer, 'INTEGRITY_FAILED');
    expect(answer.body).not.toHaveProperty('details');
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  }

  test('of the same person does not decrypt, and says nothing', async () => {
    const { use, ids } = await withOne('Goldmohn');
    await swap('records', ids[0] ?? '', ids[1] ?? '');
    await expectFailure(await exchange.read(use), 'Goldmohn');
    expect((await exchange.page(use, { offset: 1 })).records).toHaveLength(1);
    const slow = await slowly(`${one.url}${EXPORT}`, exchange.signed(use, 'sovereignExport', { format: 'JSON' })).catch(
      () => null,
    );
    await expect(slow ? slow.rest() : Promise.reject(new Error('broken at once'))).rejects.toThrow();
  });

  test('of another person does not decrypt, and others are not affected', async () => {
    const [mine, yours] = [await withOne('Goldmohn'), await withOne('Silberdistel')];
    await swap('records', mine.ids[0] ?? '', yours.ids[0] ?? '');
    await expectFailure(await exchange.read(yours.use), 'Goldmohn');
    const { records } = await exchange.page(mine.use);
    expect(records.map(({ value }: { value: string }) => value)).toEqual(['Goldmohn', 'Goldmohn']);
    await pool.query('UPDATE records SET owner_id = $1 WHERE id = $2', [yours.use.holder.id, mine.ids[1]]);
    await pool.query('DELETE FROM records WHERE id = $1', [yours.ids[0]]);
    await expectFailure(await exchange.read(yours.use), 'Goldmohn');
    await expectFailure(await exchange.read(mine.use), 'Goldmohn');
    const { use } = await withOne('Goldmohn');
    expect((await exchange.read(use)).status).toBe(200);
  });

  test('of an access event does not decrypt either', async () => {
    const { use } = await withOne('Goldmohn');
    await exchange.page(use);
    const { rows } = await pool.query('SELECT id FROM access_events WHERE owner_id = $1', [use.holder.id]);
    await swap('access_events', rows[0].id, rows[1].id);
    await expectFailure(await exchange.listAccess(use.holder, use.holder), 'Goldmohn');
  });

  test('with one bit turned does not decrypt', async () => {
    const { use, ids } = await withOne('Goldmohn');
    await pool.query(
      'UPDATE records SET ciphertext = set_bit(ciphertext, 8 * (length(ciphertext) / 2), 1 - get_bit(ciphertext, 8 * (length(ciphertext) / 2))) WHERE id = $1',
      [ids[0]],
    );
    await expectFailure(await exchange.read(use), 'Goldmohn');
  });
});
