import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { NOW_MS } from './clock.ts';
import { clientsOf, NoPrimary } from './follow-primary.ts';

const OLDEST = { number: 150_000, name: '15' };
const MAX_CLOCK_DIFFERENCE_MS = 1_000;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 5_000;
const ATTEMPTS = 3;

/**
 * Why a service must not start on a database, as one sentence with a remedy, or null. Writes nothing.
 * @param now the machine's clock, in ms since 1970
 * @throws if the database is not reachable
 */
export async function databaseProblem(url: string, now: () => number = Date.now): Promise<string | null> {
  const [one, other] = [connection(url), connection(url)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    return (
      (await poolerProblem(one, other)) ??
      (await lockProblem(one, other)) ??
      (await serverProblem(one)) ??
      clockProblem(await clockDifference(one, now))
    );
  } catch (error) {
    if (error instanceof NoPrimary) return STANDBY;
    throw error;
  } finally {
    await Promise.all([one.end(), other.end()].map((end) => end.catch(() => undefined)));
  }
}

function connection(url: string): pg.Client {
  const { Client, connectionString } = clientsOf(url);
  const client = new Client({
    connectionString,
    application_name: 'perpetua',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
  });
  return client.on('error', () => undefined);
}

const POOLER =
  'DATABASE_URL names a pooler that does not keep a session on one connection of the database, so locks and settings are lost; name PostgreSQL itself, or set pool_mode to session.';

/**
 * A transaction-mode pooler gives the idle connection of one client to another client's transaction: then the first one's
 * settings are gone, or the second one sees them.
 */
async function poolerProblem(one: pg.Client, other: pg.Client): Promise<string | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const value = randomBytes(8).toString('hex');
    await one.query(`SET perpetua.session = '${value}'`);
    try {
      await other.query('BEGIN');
      const [seen, kept] = await Promise.all([session(other), session(one)]);
      await other.query('ROLLBACK');
      if (seen === value || kept !== value) return POOLER;
    } catch (error) {
      if (isPoolerError(error)) return POOLER;
      throw error;
    }
  }
  return null;
}

/** No transaction in statement mode, or no second connection while the first is in a transaction. */
const isPoolerError = (error: unknown): boolean =>
  /statement pooling mode|Query read timeout/.test(error instanceof Error ? error.message : '');

async function session(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ value: string | null }>(
    "SELECT current_setting('perpetua.session', true) AS value",
  );
  return rows[0]?.value ?? null;
}

/** Two relays could sign two histories if both held the lock. */
async function lockProblem(one: pg.Client, other: pg.Client): Promise<string | null> {
  const key = randomBytes(6).readUIntBE(0, 6);
  const locks = async (client: pg.Client): Promise<boolean> => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [key]);
    return rows[0]?.locked === true;
  };
  if ((await locks(one)) && !(await locks(other))) return null;
  return 'The advisory locks of the database in DATABASE_URL do not exclude each other, as in CockroachDB; use PostgreSQL.';
}

const STANDBY = 'DATABASE_URL names only a standby, which is read-only; add the host of the primary.';

async function serverProblem(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ version: number; name: string; standby: boolean; readonly: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly`,
  );
  const [server] = rows;
  if (!server) return null;
  if (server.standby) return STANDBY;
  if (server.readonly === 'on') {
    return 'The database in DATABASE_URL is read-only; set default_transaction_read_only to off for this role and database.';
  }
  return versionProblem(server.version, server.name);
}

/** @param version server_version_num, such as 150004 */
export const versionProblem = (version: number, name: string): string | null =>
  version >= OLDEST.number
    ? null
    : `The database in DATABASE_URL is PostgreSQL ${name}; upgrade it to version ${OLDEST.name} or later.`;

/** Milliseconds by which the machine's clock is ahead of the database's, from the fastest of some round trips. */
async function clockDifference(client: pg.Client, now: () => number): Promise<number> {
  let best = { tookMs: Number.POSITIVE_INFINITY, difference: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const begun = performance.now();
    const before = now();
    const { rows } = await client.query<{ ms: number }>(`SELECT ${NOW_MS} AS ms`);
    const tookMs = performance.now() - begun;
    const difference = before + tookMs / 2 - Number(rows[0]?.ms);
    if (tookMs < best.tookMs) best = { tookMs, difference };
  }
  return best.difference;
}

function clockProblem(difference: number): string | null {
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const seconds = (Math.abs(difference) / 1000).toFixed(1);
  return `The clock of this machine is ${seconds} seconds ${difference > 0 ? 'ahead of' : 'behind'} the database's; synchronise both, for example with NTP.`;
}
