import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { migrate } from '../../../server/platform/db/migrate.ts';
import { SUPERUSER } from '../../../server/platform/db/postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../../server/platform/db/postgres/embedded-postgres.ts';
import { addressFor, SERVICE_ROLE } from '../../../server/platform/db/postgres/service-role.ts';
import { domainOf } from '../load/workloads.ts';
import type { SeededConsent } from '../parties.ts';

export interface BenchPostgres {
  /** Creates an empty database that belongs to the service's role, and returns its URL for that role. */
  createDatabase(): Promise<string>;
  stop(): Promise<unknown>;
}

/** Starts an embedded PostgreSQL for the bare loops, with the binaries and settings of the service's. */
export async function startBenchPostgres(dataDir: string): Promise<BenchPostgres> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const adminUrl = addressFor(SUPERUSER, new URL(url), password).href;
  return {
    async createDatabase() {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      await withPool(adminUrl, (pool) =>
        pool.query(`CREATE DATABASE ${name} TEMPLATE template0 OWNER ${SERVICE_ROLE}`),
      );
      const database = new URL(url);
      database.pathname = name;
      return database.href;
    },
    stop,
  };
}

/** Creates the service's tables and the ledger head that the bare loop updates. */
export const prepareForCreate = (url: string): Promise<void> =>
  withPool(url, async (pool) => {
    await migrate(pool);
    await pool.query(
      `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, budget_day, budget_bytes)
       VALUES ('', '', 1, 0, current_date, 0)`,
    );
  });

/** Adds the given consents with their holders and institutions. */
export async function prepareForSubmit(url: string, consents: readonly SeededConsent[]): Promise<void> {
  await prepareForCreate(url);
  const institutions = [...new Map(consents.map(({ ieoId, seed }) => [ieoId, signingKeyOf(seed).publicKey]))];
  const [holders, grantees] = [consents.map(({ beoId }) => beoId), consents.map(({ ieoId }) => ieoId)];
  await withPool(url, async (pool) => {
    await pool.query(
      `INSERT INTO vault_keys (owner_id, wrapped) SELECT DISTINCT id, decode(repeat('00', 60), 'hex') FROM unnest($1::uuid[]) AS id`,
      [holders],
    );
    await pool.query(
      `INSERT INTO ieos (id, domain, ieo_type, public_key, key_version, status, created_at, updated_at, cert_level, certification,
         contacts, recovery, transaction_id, seq, created_seq)
       SELECT id, id || '.bsp', 'LAB', key, 1, 'ACTIVE', now(), now(), 'UNCERTIFIED', '{}', '{}', '{}', '', 0, 0
       FROM unnest($1::uuid[], $2::text[]) AS i (id, key)`,
      [institutions.map(([id]) => id), institutions.map(([, key]) => key)],
    );
    await pool.query(
      `INSERT INTO tokens (id, beo_id, grantee_kind, grantee_id, granted_at, scope, scope_key, submitted, owner_signature,
         token_hash, transaction_id, seq, created_seq)
       SELECT id, beo, 'IEO', ieo, now(), '{"intents":["SUBMIT_RECORD"]}', id, 0, '', '', '', 0, 0
       FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS t (id, beo, ieo)`,
      [consents.map(({ tokenId }) => tokenId), holders, grantees],
    );
  });
}

/** Creates the service's tables, an index for reading identities by domain, and identities. */
export const prepareForRead = (url: string, population: number): Promise<void> =>
  withPool(url, async (pool) => {
    const [before, after] = domainOf(0).split('0');
    await migrate(pool);
    await pool.query('CREATE UNIQUE INDEX ON beos (domain)');
    await pool.query(
      `INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
       SELECT gen_random_uuid(), $2 || i || $3, md5(i::text) || md5((-i)::text), 1, 'ACTIVE', now(), now(),
         '{"enabled":false,"guardians":[]}', left(encode(sha256(i::text::bytea), 'base64'), 43), i + 1
       FROM generate_series(0, $1 - 1) AS i`,
      [population, before, after],
    );
    await pool.query('VACUUM ANALYZE beos');
  });

async function withPool(url: string, work: (pool: pg.Pool) => Promise<unknown>): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await work(pool).finally(() => pool.end());
}
