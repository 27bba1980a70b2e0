import type { Pool } from 'pg';
import { identity } from './migrations/001-identity.ts';
import { institutions } from './migrations/002-institutions.ts';
import { guardians } from './migrations/003-guardians.ts';
import { records } from './migrations/004-records.ts';
import { dashboard } from './migrations/005-dashboard.ts';
import { institutionWords } from './migrations/006-institution-words.ts';
import { confirmedGuardians } from './migrations/008-confirmed-guardians.ts';
import { recoveryRooms } from './migrations/009-recovery-rooms.ts';
import { mailLimits } from './migrations/010-mail-limits.ts';
import { clientRecordIds } from './migrations/011-client-record-ids.ts';
import { boundRecords } from './migrations/012-bound-records.ts';
import { storedBytes } from './migrations/013-stored-bytes.ts';
import { institutionLists } from './migrations/015-institution-lists.ts';
import { explorer } from './migrations/016-explorer.ts';
import { events } from './migrations/017-events.ts';
import { webhooks } from './migrations/018-webhooks.ts';
import { publicKeys } from './migrations/019-public-keys.ts';
import { postingPause } from './migrations/020-posting-pause.ts';
import { transparency } from './migrations/021-transparency.ts';
import { witnesses } from './migrations/022-witnesses.ts';
import { relayerKeys } from './migrations/023-relayer-keys.ts';
import { mirror } from './migrations/024-mirror.ts';
import { abandonedTransactions } from './migrations/025-abandoned-transactions.ts';
import { mirrorFindings } from './migrations/026-mirror-findings.ts';
import { agreedSettings } from './migrations/027-agreed-settings.ts';
import { bundlesLackingData } from './migrations/028-bundles-lacking-data.ts';
import { reserveUses } from './migrations/029-reserve-uses.ts';
import { revocations } from './migrations/030-revocations.ts';
import { retiredNames } from './migrations/031-retired-names.ts';
import { storedByAge } from './migrations/032-stored-by-age.ts';
import { certificationRequests } from './migrations/033-certification-requests.ts';
import { cancelledRecoveries } from './migrations/034-cancelled-recoveries.ts';
import { submissions } from './migrations/035-submissions.ts';
import { consentRequests } from './migrations/036-consent-requests.ts';
import { cancelledRequests } from './migrations/037-cancelled-requests.ts';
import { alerts } from './migrations/038-alerts.ts';
import { shares } from './migrations/039-shares.ts';
import { earlierSubmissions } from './migrations/040-earlier-submissions.ts';
import { createPool, LONG_RUNNING } from './pool.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Only fills a table that another migration created: it runs after all others, while the previous version writes. */
  readonly fills?: true;
}

/** In the order of application. The statements of a released migration are never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-identity', sql: identity },
  { name: '002-institutions', sql: institutions },
  { name: '003-guardians', sql: guardians },
  { name: '004-records', sql: records },
  { name: '005-dashboard', sql: dashboard },
  { name: '006-institution-words', sql: institutionWords },
  { name: '008-confirmed-guardians', sql: confirmedGuardians },
  { name: '009-recovery-rooms', sql: recoveryRooms },
  { name: '010-mail-limits', sql: mailLimits },
  { name: '011-client-record-ids', sql: clientRecordIds },
  { name: '012-bound-records', sql: boundRecords },
  { name: '013-stored-bytes', sql: storedBytes },
  { name: '015-institution-lists', sql: institutionLists },
  { name: '016-explorer', sql: explorer },
  { name: '017-events', sql: events },
  { name: '018-webhooks', sql: webhooks },
  { name: '019-public-keys', sql: publicKeys },
  { name: '020-posting-pause', sql: postingPause },
  { name: '021-transparency', sql: transparency },
  { name: '022-witnesses', sql: witnesses },
  { name: '023-relayer-keys', sql: relayerKeys },
  { name: '024-mirror', sql: mirror },
  { name: '025-abandoned-transactions', sql: abandonedTransactions },
  { name: '026-mirror-findings', sql: mirrorFindings },
  { name: '027-agreed-settings', sql: agreedSettings },
  { name: '028-bundles-lacking-data', sql: bundlesLackingData },
  { name: '029-reserve-uses', sql: reserveUses },
  { name: '030-revocations', sql: revocations },
  { name: '031-retired-names', sql: retiredNames },
  { name: '032-stored-by-age', sql: storedByAge },
  { name: '033-certification-requests', sql: certificationRequests },
  { name: '034-cancelled-recoveries', sql: cancelledRecoveries },
  { name: '035-submissions', sql: submissions },
  { name: '036-consent-requests', sql: consentRequests },
  { name: '037-cancelled-requests', sql: cancelledRequests },
  { name: '038-alerts', sql: alerts },
  { name: '039-shares', sql: shares },
  { name: '040-earlier-submissions', sql: earlierSubmissions, fills: true },
];

const LOCK = 7_305_011;

const DEADLOCK = '40P01';
const ATTEMPTS = 5;

/**
 * Brings the schema up to date; several processes may start at once, and the previous version may serve. If nothing is
 * missing, it only reads: a role that may not change the schema can then start. Returns the names of the applied
 * migrations.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  if ((await pendingMigrations(pool)).length === 0) return [];
  const filling = (migration: Migration) => migration.fills === true;
  return [...(await migrateSome(pool, (one) => !filling(one))), ...(await migrateSome(pool, filling))];
}

async function migrateSome(pool: Pool, isOne: (migration: Migration) => boolean): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(pool, isOne);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}

async function migrateOnce(pool: Pool, isOne: (migration: Migration) => boolean): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const done = new Set(rows.map(({ name }) => name));
    const missing = MIGRATIONS.filter((migration) => isOne(migration) && !done.has(migration.name));
    // A write locks the head first, too: without this, a write and a migration could each wait for a table of the other.
    if (done.size > 0 && missing.some(({ fills }) => !fills))
      await client.query('LOCK TABLE ledger_head IN EXCLUSIVE MODE');
    for (const { name, sql } of missing) {
      await client.query(sql);
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    }
    await client.query('COMMIT');
    return missing.map(({ name }) => name);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** The same on a separate connection without a statement timeout, which large tables need. */
export async function migrateDatabase(url: string, onLost: (error: Error) => void): Promise<string[]> {
  const pool = createPool(url, 1, onLost, LONG_RUNNING);
  return migrate(pool).finally(() => pool.end());
}

/** The names of the migrations that a start would apply. Changes nothing. */
export async function pendingMigrations(pool: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows: found } = await pool.query<{ is: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS is");
  if (!found[0]?.is) return MIGRATIONS.map(({ name }) => name);
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM migrations');
  const done = new Set(rows.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !done.has(name));
}
