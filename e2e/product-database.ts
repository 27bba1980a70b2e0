import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Hours after which a link has run out for certain. */
const LONG_AGO = '100 hours';

/** Makes every open invitation of an identity so old that it has run out: nothing outside can move the product's clock. */
export const ageInvitations = (beoId: string): Promise<void> =>
  change(
    `UPDATE beos SET recovery = jsonb_set(recovery, '{guardians}', (SELECT jsonb_agg(guardian || jsonb_build_object('addedAt',
       to_char((guardian ->> 'addedAt')::timestamptz AT TIME ZONE 'UTC' - $2::interval, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       FROM jsonb_array_elements(recovery -> 'guardians') AS guardian)) WHERE id = $1`,
    beoId,
  );

/** The same for the requests for its recovery. */
export const ageRequests = (beoId: string): Promise<void> =>
  change('UPDATE recovery_requests SET opened_at = opened_at - $2::interval WHERE beo_id = $1', beoId);

/** Gives a holder as many more consents like one of theirs, each a little different; none of them is on the ledger. */
export const multiplyConsent = (tokenId: string, count: number): Promise<void> =>
  change(
    `INSERT INTO tokens (id, beo_id, grantee_kind, grantee_id, granted_at, expires_at, scope, scope_key, revoked_at, submitted,
       owner_signature, token_hash, transaction_id, seq, created_seq)
     SELECT 'tok_' || gen_random_uuid(), beo_id, grantee_kind, grantee_id, granted_at, expires_at, scope, gen_random_uuid()::text,
       CASE WHEN n % 5 = 0 THEN granted_at END, submitted, owner_signature, token_hash, transaction_id, seq, -n
     FROM tokens, generate_series(1, $2::int) AS n WHERE id = $1`,
    tokenId,
    count,
  );

async function change(statement: string, id: string, parameter: string | number = LONG_AGO): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement, [id, parameter]);
    if (!rowCount) throw new Error(`Nothing of ${id} was found.`);
  } finally {
    await client.end();
  }
}

/** The database that the product under test runs for itself; the port stands in the fourth line of postmaster.pid. */
async function databaseUrl(): Promise<string> {
  const dataDir = process.env.PRODUCT_DATA_DIR ?? '';
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://perpetua:${password}@127.0.0.1:${port}/perpetua`;
}
