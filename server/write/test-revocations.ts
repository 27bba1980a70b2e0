import pg from 'pg';
import { expect } from 'vitest';

/** Test code: what the rows of consents show of a revocation, and when. */

type Db = Pick<pg.Pool, 'query'>;

/** Keeps the rows of a holder's consents as they are, so that no revocation is written into them. @returns how to end that */
export async function holdTokens(databaseUrl: string, beoId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM tokens WHERE beo_id = $1 FOR SHARE', [beoId]);
  return () => client.end();
}

export async function waitUntilSettled(db: Db): Promise<void> {
  await expect
    .poll(async () => (await db.query('SELECT FROM revocations UNION ALL SELECT FROM ended_grantees')).rowCount, {
      timeout: 60_000,
    })
    .toBe(0);
}

/** Adds copies of a consent with scopes of their own. */
export async function addCopies(db: Db, tokenId: string, count: number, changes: object = {}): Promise<void> {
  await db.query(
    `INSERT INTO tokens SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'tok_' || gen_random_uuid(),
       'scope_key', t.scope_key || gen_random_uuid()) || $3)).* FROM tokens t, generate_series(1, $2::int) WHERE t.id = $1`,
    [tokenId, count, JSON.stringify(changes)],
  );
}

/** The counts of live consents must be those of the rows. Only once everything is settled. */
export async function expectExactCounts(db: Db): Promise<void> {
  const { rows } = await db.query(
    `WITH live AS (
       SELECT t.beo_id, t.grantee_id, t.scope -> 'intents' AS intents, count(*) AS live
       FROM effective_tokens t LEFT JOIN swept_consents s USING (beo_id)
       WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR s.until IS NULL OR t.expires_at > s.until)
         AND NOT EXISTS (SELECT FROM ieos WHERE id = t.grantee_id AND status IN ('REVOKED', 'DESTROYED'))
       GROUP BY 1, 2, 3
     ), expected AS (
       SELECT * FROM live UNION ALL SELECT beo_id, '00000000-0000-0000-0000-000000000000', intents, sum(live)
       FROM live GROUP BY beo_id, intents
     )
     SELECT beo_id, grantee_id, intents, counted.live AS counted, expected.live AS expected
     FROM (SELECT g.* FROM live_consents g JOIN live_consents total ON total.beo_id = g.beo_id AND total.intents = g.intents
             AND total.grantee_id = '00000000-0000-0000-0000-000000000000' AND total.generation = g.generation) counted
       FULL JOIN expected USING (beo_id, grantee_id, intents)
     WHERE coalesce(counted.live, 0) <> coalesce(expected.live, 0)`,
  );
  expect(rows).toEqual([]);
}
