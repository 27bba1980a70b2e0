import pg from 'pg';
import { expect } from 'vitest';
import { type EventClients, summaryOf } from '../features/events/test-events.ts';
import { EXPORT, measurement } from '../features/records/test-exchange.ts';
import type { createCaller } from '../http/trpc/router.ts';
import type { TestService } from '../testing/test-service.ts';
import type { Party } from './test-parties.ts';

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
      timeout: 240_000,
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

interface Clients {
  readonly service: TestService;
  readonly clients: EventClients;
  readonly call: ReturnType<typeof createCaller>;
}

interface Granted {
  readonly holder: Party;
  readonly lab: Party;
  readonly token: { readonly token_id: string };
  readonly transactionId: string;
}

/** What each reader returns about a consent, without how far the ledger has come meanwhile. */
export async function readRevoked({ service, clients, call }: Clients, granted: Granted) {
  const { holder, lab, transactionId } = granted;
  const { token_id: tokenId } = granted.token;
  const use = { by: lab, holder, tokenId };
  const inList = (tokens: readonly { token_id: string }[]) => tokens.find(({ token_id }) => token_id === tokenId);
  const { transactionId: _, ...verdict } = { ...(await clients.verdict(tokenId)), transactionId };
  const explored = (await call.explore({ reference: tokenId })).found;
  const history = await service.get(`/api/consent/history/${holder.domain}`);
  const paged = await service.get(`/api/consent/history/${holder.domain}?limit=200`);
  const received = await call.receivedConsents({ reference: lab.id, limit: 50 });
  const read = {
    verdict,
    byTransaction: await clients.verdict(transactionId),
    explored: explored.kind === 'consent' ? explored.consent : null,
    whole: inList(history.body.tokens),
    page: inList(paged.body.tokens),
    received: inList(received.tokens),
    reads: (await clients.exchange.read(use)).body.code ?? 'read',
    submits: (await clients.exchange.submit(use, [measurement()])).body.code ?? 'submitted',
    exports:
      (await service.post(EXPORT, clients.exchange.signed(use, 'sovereignExport', { format: 'JSON' }))).body.code ??
      'exported',
    entries: (await call.history({ entityId: tokenId, limit: 10 })).map(({ function: name }) => name),
    events: (await clients.all(lab)).map(summaryOf),
  };
  const stages = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'];
  const withoutStage = (key: string, value: unknown) =>
    key === 'status' && stages.includes(String(value)) ? 'any' : value;
  return JSON.parse(JSON.stringify(read, withoutStage)) as typeof read;
}
