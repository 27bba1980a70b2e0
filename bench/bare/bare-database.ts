import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { signingKeyOf } from '../../server/crypto/signed-request.ts';
import { migrate } from '../../server/db/migrate.ts';
import { domainOf, type SeededConsent } from '../load/workloads.ts';

/** Makes an empty database on the bench's own Postgres, and returns its URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

/** The service's own tables, with a head to move. */
export async function prepareForCreate(url: string): Promise<void> {
  await createTables(url);
  await withClient(url, (client) =>
    client.query(
      `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, budget_day, budget_bytes)
       VALUES ('', '', 1, 0, current_date, 0)`,
    ),
  );
}

/** The same, with the parties to some consents, under their own ids. */
export async function prepareForSubmit(url: string, consents: readonly SeededConsent[]): Promise<void> {
  await prepareForCreate(url);
  const institutions = [...new Map(consents.map(({ ieoId, seed }) => [ieoId, signingKeyOf(seed).publicKey]))];
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO vault_keys (owner_id, wrapped) SELECT DISTINCT id, decode(repeat('00', 60), 'hex') FROM unnest($1::uuid[]) AS id`,
      [consents.map(({ beoId }) => beoId)],
    );
    await client.query(
      `INSERT INTO ieos (id, domain, ieo_type, public_key, key_version, status, created_at, updated_at, cert_level, certification,
         contacts, recovery, transaction_id, seq, created_seq)
       SELECT id, id || '.bsp', 'LAB', key, 1, 'ACTIVE', now(), now(), 'UNCERTIFIED', '{}', '{}', '{}', '', 0, 0
       FROM unnest($1::uuid[], $2::text[]) AS i (id, key)`,
      [institutions.map(([id]) => id), institutions.map(([, key]) => key)],
    );
    await client.query(
      `INSERT INTO tokens (id, beo_id, grantee_kind, grantee_id, granted_at, scope, scope_key, submitted, owner_signature,
         token_hash, transaction_id, seq, created_seq)
       SELECT id, beo, 'IEO', ieo, now(), '{}', id, 0, '', '', '', 0, 0
       FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS t (id, beo, ieo)`,
      [consents.map(({ tokenId }) => tokenId), consents.map(({ beoId }) => beoId), consents.map(({ ieoId }) => ieoId)],
    );
  });
}

/** The service's own tables, and an index to read one of them by domain. */
export async function prepareForRead(url: string): Promise<void> {
  await createTables(url);
  await withClient(url, (client) => client.query('CREATE UNIQUE INDEX ON beos (domain)'));
}

async function createTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await migrate(pool).finally(() => pool.end());
}

/** Fills the table the bare read selects from until it holds `population` rows. */
export async function fillForRead(url: string, population: number): Promise<void> {
  const [before, after] = domainOf(0).split('0') as [string, string];
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
       SELECT gen_random_uuid(), $2 || i || $3, md5(i::text) || md5((-i)::text), 1, 'ACTIVE', now(), now(),
         '{"enabled":false,"guardians":[]}', left(encode(sha256(i::text::bytea), 'base64'), 43), i + 1
       FROM generate_series((SELECT count(*) FROM beos), $1 - 1) AS i`,
      [population, before, after],
    );
    await client.query('VACUUM ANALYZE beos');
  });
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return work(client).finally(() => client.end());
}
