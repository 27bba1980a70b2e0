import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Longer than any link is valid. */
const AGE = '100 hours';

/** Makes every open invitation of an identity expire, by changing its date: a test cannot set the product's clock. */
export const expireInvitations = (beoId: string): Promise<void> =>
  change(
    `UPDATE beos SET recovery = jsonb_set(recovery, '{guardians}', (SELECT jsonb_agg(guardian || jsonb_build_object('addedAt',
       to_char((guardian ->> 'addedAt')::timestamptz AT TIME ZONE 'UTC' - $2::interval, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       FROM jsonb_array_elements(recovery -> 'guardians') AS guardian)) WHERE id = $1`,
    beoId,
  );

/** Makes every recovery request of an identity expire. */
export const expireRequests = (beoId: string): Promise<void> =>
  change('UPDATE recovery_requests SET opened_at = opened_at - $2::interval WHERE beo_id = $1', beoId);

/** Adds copies of a consent to the database, with different scope keys; none of them is on the ledger. */
export const copyConsent = (tokenId: string, count: number): Promise<void> =>
  change(
    `INSERT INTO tokens (id, beo_id, grantee_kind, grantee_id, granted_at, expires_at, scope, scope_key, revoked_at, submitted,
       owner_signature, token_hash, transaction_id, seq, created_seq)
     SELECT 'tok_' || gen_random_uuid(), beo_id, grantee_kind, grantee_id, granted_at, expires_at, scope, gen_random_uuid()::text,
       CASE WHEN n % 5 = 0 THEN granted_at END, submitted, owner_signature, token_hash, transaction_id, seq, -n
     FROM tokens, generate_series(1, $2::int) AS n WHERE id = $1`,
    tokenId,
    count,
  );

async function change(statement: string, id: string, parameter: string | number = AGE): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement, [id, parameter]);
    if (!rowCount) throw new Error(`No row of ${id} was found.`);
  } finally {
    await client.end();
  }
}

/** The embedded database of the product under test. The fourth line of postmaster.pid is its port. */
async function databaseUrl(): Promise<string> {
  const dataDir = process.env.PRODUCT_DATA_DIR ?? '';
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://perpetua:${password}@127.0.0.1:${port}/perpetua`;
}
