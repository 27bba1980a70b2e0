import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Guardians, guardiansOf, HOUR } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'guardians@example.org' };
  service = await startTestService(mail, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

/** The number of connections to this database that wait for a lock of this kind. */
async function waiting(kind: 'advisory' | 'transactionid'): Promise<number> {
  const text = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = $1';
  return (await service.service.context.pool.query(text, [kind])).rows.length;
}

/** Holds an advisory lock that `first` needs until both requests wait or the second has completed. */
async function overlapping(
  lock: string,
  first: () => Promise<Answer>,
  second: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`);
    const firstAnswer = first();
    await expect.poll(() => waiting('advisory'), { interval: 5 }).toBe(1);
    let answered = false;
    const secondAnswer = second().finally(() => {
      answered = true;
    });
    const isBlockedOrDone = async () => answered || (await waiting('transactionid')) > 0;
    await expect.poll(isBlockedOrDone, { interval: 5 }).toBe(true);
    await client.query('COMMIT');
    return await Promise.all([firstAnswer, secondAnswer]);
  } finally {
    await client.end();
  }
}

const OWNED: [table: string, column: string][] = [
  ['vault_rows', 'owner_id'],
  ['vault_keys', 'owner_id'],
  ['invitations', 'beo_id'],
  ['recovery_requests', 'beo_id'],
  ['recovery_mailings', 'beo_id'],
  ['mails', 'owner_id'],
];

/** The rows of an identity outside the ledger, by table. */
async function rowCounts(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, column] of OWNED) {
    const { rows } = await service.service.context.pool.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id]);
    counts[table] = rows.length;
  }
  return counts;
}

const NO_ROWS = Object.fromEntries(OWNED.map(([table]) => [table, 0]));

/** A mail that was being sent during the destruction is deleted at its next attempt, which is due within an hour. */
async function expectNoRows(id: string): Promise<void> {
  shift += HOUR;
  await expect.poll(() => rowCounts(id)).toEqual(NO_ROWS);
}

describe('a recovery request during the destruction of the identity', () => {
  test('leaves no rows in either commit order', async () => {
    const { holder } = await guardians.guarded();
    const [requested, destroyed] = await overlapping(
      `hashtextextended('recovery ${holder.id}', 0)`,
      () => guardians.ask(holder.id, newPerson().publicKey),
      () => guardians.beo(holder, 'destroy', 'destroyBEO'),
    );
    expect(destroyed.body.code ?? destroyed.status).toBe(200);
    expect([200, 'BEO_DESTROYED']).toContain(requested.body.code ?? requested.status);
    await expectNoRows(holder.id);
  });

  test('does not block the destruction when mails to guardians are due', async () => {
    const { holder } = await guardians.guarded();
    await guardians.asked(holder.id, newPerson().publicKey);
    shift += 25 * HOUR;
    const { pool } = service.service.context;
    // Blocks a request with due mails before it writes their links.
    await pool.query(
      `CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_advisory_xact_lock(4242); RETURN NEW; END'`,
    );
    await pool.query(
      `CREATE TRIGGER wait_here BEFORE INSERT ON vault_rows FOR EACH ROW WHEN (NEW.id LIKE 'recovery:%')
       EXECUTE FUNCTION wait_here()`,
    );
    try {
      const [requested, destroyed] = await overlapping(
        '4242',
        () => guardians.ask(holder.id, newPerson().publicKey),
        () => guardians.beo(holder, 'destroy', 'destroyBEO'),
      );
      expect(destroyed.body.code ?? destroyed.status).toBe(200);
      expect([200, 'BEO_DESTROYED']).toContain(requested.body.code ?? requested.status);
      await expectNoRows(holder.id);
    } finally {
      await pool.query('DROP FUNCTION wait_here() CASCADE');
    }
  });
});
