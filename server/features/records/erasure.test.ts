import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { type Answer, startBeside, startTestService, type TestService } from '../../testing/test-service.ts';
import { submitAsOneBatch, tally } from '../../write/test-races.ts';
import { type ConsentParties, EXPORT, type Exchange, exchangeOf, measurement, measurements } from './test-exchange.ts';
import { startExport } from './test-exports.ts';

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
let exchange: Exchange;
let secondExchange: Exchange;
let pool: Pool;
beforeAll(async () => {
  first = await startTestService();
  second = await startBeside(first);
  exchange = exchangeOf(first);
  secondExchange = exchangeOf(second);
  pool = first.service.context.pool;
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const OWNED_TABLES = ['vault_keys', 'vault_rows', 'records', 'record_counts', 'access_events'];

/** The number of rows of a holder in each table. */
async function rowCounts(ownerId: string): Promise<Record<string, number>> {
  const counts = OWNED_TABLES.map(async (table): Promise<[string, number]> => {
    const { rows } = await pool.query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [ownerId]);
    return [table, rows.length];
  });
  return Object.fromEntries(await Promise.all(counts));
}

const NO_ROWS = Object.fromEntries(OWNED_TABLES.map((table) => [table, 0]));
const destroy = ({ holder }: ConsentParties): Promise<Answer> => exchange.parties.beo(holder, 'destroy', 'destroyBEO');

async function holderWithRecords(): Promise<ConsentParties> {
  const use = await exchange.newConsent();
  const { record_ids } = await exchange.submitted(use, measurements(3));
  await exchange.submitted(use, [measurement({ supersedes: record_ids[0] })]);
  await exchange.page(use);
  await exchange.exported(use, 'CSV');
  return use;
}

describe('the destruction of an identity', () => {
  test('erases its records, counters, access events, sealed messages and key, and only those', async () => {
    const [destroyed, kept] = [await holderWithRecords(), await holderWithRecords()];
    const full = { vault_keys: 1, vault_rows: 2, records: 4, record_counts: 2, access_events: 4 };
    expect(await rowCounts(destroyed.holder.id)).toEqual(full);
    expect((await destroy(destroyed)).status).toBe(200);
    expect(await rowCounts(destroyed.holder.id)).toEqual(NO_ROWS);
    expect(await rowCounts(kept.holder.id)).toEqual(full);
    expect((await exchange.page(kept)).total).toBe(3);
  });

  test('leaves no record id in any column of any table', async () => {
    const use = await holderWithRecords();
    const { records } = await exchange.page(use);
    expect((await destroy(use)).status).toBe(200);
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT DISTINCT quote_ident(table_name) AS name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const tablesWithIds: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query(`SELECT 1 FROM ${name} t WHERE t::text LIKE ANY($1)`, [
        records.map(({ record_id }: { record_id: string }) => `%${record_id}%`),
      ]);
      if (rows.length > 0) tablesWithIds.push(name);
    }
    expect(tablesWithIds).toEqual([]);
  });

  test('does not change the entries on the ledger', async () => {
    const use = await holderWithRecords();
    const { rows: before } = await pool.query('SELECT item FROM ledger_entries WHERE entity_id = $1', [use.tokenId]);
    await destroy(use);
    const { rows: after } = await pool.query('SELECT item FROM ledger_entries WHERE entity_id = $1', [use.tokenId]);
    expect(after).toEqual(before);
    expect(after).toHaveLength(3);
  });
});

describe('a refused submission', () => {
  test('stores nothing in the vault', async () => {
    const use = await exchange.newConsent();
    const unrelated = await exchange.newConsent();
    expectRefusal(await exchange.submit({ ...use, by: unrelated.by }, measurements(1)), 'INVALID_SIGNATURE');
    expect((await exchange.submit(use, [measurement({ unit: '' })])).status).toBe(422);
    expect((await exchange.submit(use, [measurement({ beo_id: unrelated.holder.id })])).status).toBe(422);
    await exchange.parties.revoke(use.holder, use.tokenId);
    expectRefusal(await exchange.submit(use, measurements(1)), 'TOKEN_REVOKED');
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });
});

describe('a destruction concurrent with submissions', () => {
  test('erases everything in any order, through two processes', async () => {
    const use = await holderWithRecords();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? exchange : secondExchange).submit(use, measurements(20)),
      ),
      destroy(use),
      ...Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? exchange : secondExchange).submit(use, measurements(20)),
      ),
    ]);
    for (const { status, body } of answers) expect([200, 201, 410], JSON.stringify(body)).toContain(status);
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });

  test('erases everything within one batch, and later submissions are refused', async () => {
    const use = await exchange.newConsent();
    const submit = () => exchange.submit(use, measurements(5));
    const answers = await submitAsOneBatch(first, [submit, submit, () => destroy(use), submit]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 410]);
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });
});

/** Sends a request while a destruction waits for the data key, so that the destruction commits first. */
async function destroyedBefore(use: ConsentParties, send: () => Promise<Answer>): Promise<Answer[]> {
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
    const answer = send();
    await expect.poll(waiting, { interval: 5 }).toBe(2);
    await client.query('COMMIT');
    return await Promise.all([destruction, answer]);
  } finally {
    client.release(true);
  }
}

describe('a destruction', () => {
  test('before a waiting read makes it fail with BEO_DESTROYED', async () => {
    const use = await holderWithRecords();
    const [destruction, read] = await destroyedBefore(use, () => exchange.read(use));
    expect(destruction?.status).toBe(200);
    if (read) expectRefusal(read, 'BEO_DESTROYED');
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });

  test('before a waiting export makes it fail with BEO_DESTROYED', async () => {
    const use = await holderWithRecords();
    const [destruction, exported] = await destroyedBefore(use, () => exchange.exportAs(use, 'JSON'));
    expect(destruction?.status).toBe(200);
    if (exported) expectRefusal(exported, 'BEO_DESTROYED');
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });

  test('concurrent with many reads makes them fail with no other error', async () => {
    const use = await holderWithRecords();
    const reads = (count: number) =>
      Array.from({ length: count }, (_, index) => (index % 2 ? exchange : secondExchange).read(use));
    const answers = await Promise.all([...reads(15), destroy(use), ...reads(15)]);
    for (const code of Object.keys(tally(answers))) expect(['200', 'BEO_DESTROYED']).toContain(code);
    expect(await rowCounts(use.holder.id)).toEqual(NO_ROWS);
  });
});

describe('a ciphertext moved to another row', () => {
  const swap = (table: string, from: string, to: string) =>
    pool.query(`UPDATE ${table} SET ciphertext = (SELECT ciphertext FROM ${table} WHERE id = $1) WHERE id = $2`, [
      from,
      to,
    ]);

  const holderOf = async (value: string) => {
    const use = await exchange.newConsent();
    const { record_ids } = await exchange.submitted(use, [measurement({ value }), measurement({ value })]);
    return { use, ids: record_ids as string[] };
  };

  async function expectFailure(answer: Answer, secret: string): Promise<void> {
    expectRefusal(answer, 'INTEGRITY_FAILED');
    expect(answer.body).not.toHaveProperty('details');
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  }

  test('of the same person does not decrypt, and the error has no content', async () => {
    const { use, ids } = await holderOf('Goldmohn');
    await swap('records', ids[0] ?? '', ids[1] ?? '');
    await expectFailure(await exchange.read(use), 'Goldmohn');
    expect((await exchange.page(use, { offset: 1 })).records).toHaveLength(1);
    const started = await startExport(
      `${first.url}${EXPORT}`,
      exchange.signed(use, 'sovereignExport', { format: 'JSON' }),
    ).catch(() => null);
    await expect(started ? started.rest() : Promise.reject(new Error('refused'))).rejects.toThrow();
  });

  test('of another person does not decrypt, and other persons are not affected', async () => {
    const [ana, bruno] = [await holderOf('Goldmohn'), await holderOf('Silberdistel')];
    await swap('records', ana.ids[0] ?? '', bruno.ids[0] ?? '');
    await expectFailure(await exchange.read(bruno.use), 'Goldmohn');
    const { records } = await exchange.page(ana.use);
    expect(records.map(({ value }: { value: string }) => value)).toEqual(['Goldmohn', 'Goldmohn']);
    await pool.query('UPDATE records SET owner_id = $1 WHERE id = $2', [bruno.use.holder.id, ana.ids[1]]);
    await pool.query('DELETE FROM records WHERE id = $1', [bruno.ids[0]]);
    await expectFailure(await exchange.read(bruno.use), 'Goldmohn');
    await expectFailure(await exchange.read(ana.use), 'Goldmohn');
    const { use } = await holderOf('Goldmohn');
    expect((await exchange.read(use)).status).toBe(200);
  });

  test('of an access event does not decrypt', async () => {
    const { use } = await holderOf('Goldmohn');
    await exchange.page(use);
    const { rows } = await pool.query('SELECT id FROM access_events WHERE owner_id = $1', [use.holder.id]);
    await swap('access_events', rows[0].id, rows[1].id);
    await expectFailure(await exchange.listAccess(use.holder, use.holder), 'Goldmohn');
  });

  test('does not decrypt with one bit flipped', async () => {
    const { use, ids } = await holderOf('Goldmohn');
    await pool.query(
      'UPDATE records SET ciphertext = set_bit(ciphertext, 8 * (length(ciphertext) / 2), 1 - get_bit(ciphertext, 8 * (length(ciphertext) / 2))) WHERE id = $1',
      [ids[0]],
    );
    await expectFailure(await exchange.read(use), 'Goldmohn');
  });
});
