import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EventClients, eventsOf } from '../features/events/test-events.ts';
import { EVERYTHING } from '../features/records/test-exchange.ts';
import { createCaller } from '../http/trpc/router.ts';
import { openReceipt } from '../ledger/test-chain.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.ts';
import { type Party, READING } from './test-parties.ts';
import { submitAsOneBatch } from './test-races.ts';
import { addCopies, expectExactCounts, holdTokens, readRevoked, waitUntilSettled } from './test-revocations.ts';

let service: TestService;
let clients: EventClients;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  service = await startTestService();
  clients = eventsOf(service);
  call = createCaller({ services: service.service.context, address: '192.0.2.1' });
});
afterAll(() => service.stop());

const LONG = { timeout: 240_000 };

const db = () => service.service.context.pool;
const revokeAll = (holder: Party): Promise<Answer> => clients.beo(holder, 'revoke-all', 'revokeAllTokens');
const seqOf = ({ body }: Answer): number => openReceipt(body.receipt).entry.seq;
const storedRevocations = async (): Promise<number> => (await db().query('SELECT FROM revocations')).rowCount ?? 0;

async function parties() {
  const [holder, lab] = await Promise.all([clients.newHolder(), clients.newInstitution({ ieoType: 'LAB' })]);
  return { holder, lab };
}

describe('a revocation of all consents', () => {
  test('is returned by every reader with the next request, and the same once the rows show it', async () => {
    const { holder, lab } = await parties();
    const granted = await clients.grant(holder, lab.id, EVERYTHING);
    const { token_id } = granted.body.token;
    await clients.granted(holder, lab.id, READING);
    const release = await holdTokens(service.databaseUrl, holder.id);
    const revoked = await revokeAll(holder);
    expect(revoked.body.revoked_count).toBe(2);
    const [{ revoked_at, seq }] = (await db().query('SELECT at AS revoked_at, seq FROM revocations')).rows as [
      { revoked_at: string; seq: number },
    ];
    expect(seq).toBe(seqOf(revoked));
    const token = {
      token_id,
      status: 'REVOKED',
      revoked: true,
      revoked_at,
      ledger: { seq, status: expect.any(String) },
    };

    const unsettled = await readRevoked({ service, clients, call }, { holder, lab, ...granted.body });
    const verdict = { valid: false, reason: 'TOKEN_REVOKED', token };
    expect(unsettled).toMatchObject({
      verdict,
      byTransaction: verdict,
      explored: verdict,
      whole: token,
      page: token,
      received: token,
    });
    expect(unsettled).toMatchObject({ reads: 'TOKEN_REVOKED', submits: 'TOKEN_REVOKED', exports: 'TOKEN_REVOKED' });
    expect(unsettled.entries).toEqual(['revokeAllTokens', 'grantConsent']);
    expect(unsettled.events.filter((event) => event.startsWith('consent.revoked'))).toHaveLength(2);
    expect(unsettled.events).toContain(`consent.revoked ${token_id}`);
    const again = await clients.revoke(holder, token_id);
    expect([again.body.code, again.body.details]).toEqual(['TOKEN_ALREADY_REVOKED', { revoked_at }]);
    expect(await storedRevocations()).toBe(1);

    await release();
    await waitUntilSettled(db());
    const { rows } = await db().query('SELECT revoked_at, seq FROM tokens WHERE beo_id = $1', [holder.id]);
    expect(rows).toEqual([
      { revoked_at, seq },
      { revoked_at, seq },
    ]);
    expect(await readRevoked({ service, clients, call }, { holder, lab, ...granted.body })).toEqual(unsettled);
    await expectExactCounts(db());
  });

  test('of several, the first that covers a consent ended it', async () => {
    const { holder, lab } = await parties();
    const reading = await clients.granted(holder, lab.id, READING);
    const submitting = await clients.granted(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
    const release = await holdTokens(service.databaseUrl, holder.id);
    const first = await clients.revokeIntent(holder, 'READ_RECORDS');
    const second = await clients.revokeFrom(holder, lab.id);
    const third = await revokeAll(holder);
    expect([first, second, third].map(({ body }) => body.revoked_count)).toEqual([1, 1, 0]);
    const seqs = async () =>
      [await clients.verdict(reading.token_id), await clients.verdict(submitting.token_id)].map(
        ({ token }) => token.ledger.seq,
      );
    expect(await seqs()).toEqual([seqOf(first), seqOf(second)]);
    await release();
    await waitUntilSettled(db());
    expect(await seqs()).toEqual([seqOf(first), seqOf(second)]);
  });

  test('does not cover a consent that is granted afterwards, also with the same scope', async () => {
    const { holder, lab } = await parties();
    await clients.granted(holder, lab.id);
    expect((await clients.grant(holder, lab.id)).body.code).toBe('DUPLICATE_TOKEN');
    const release = await holdTokens(service.databaseUrl, holder.id);
    await revokeAll(holder);
    const next = await clients.granted(holder, lab.id);
    expect((await clients.grant(holder, lab.id)).body.code).toBe('DUPLICATE_TOKEN');
    expect((await clients.verdict(next.token_id)).valid).toBe(true);
    await release();
    await waitUntilSettled(db());
    expect((await clients.verdict(next.token_id)).valid).toBe(true);
    expect((await revokeAll(holder)).body.revoked_count).toBe(1);
    await waitUntilSettled(db());
    await expectExactCounts(db());
  });

  test('and other revocations and grants in one batch are counted in their order', async () => {
    const { holder, lab } = await parties();
    const early = await clients.granted(holder, lab.id, { intents: ['EXPORT_DATA'], categories: ['*'] });
    await clients.granted(holder, lab.id, { intents: ['REQUEST_SCORE'], categories: ['*'] });
    await clients.granted(holder, holder.id);
    // The first one is a batch of its own. Revocations come before grants: see reserved.
    const [, ...answers] = await submitAsOneBatch(service, [
      () => clients.ieo(lab, 'lock', 'lockIEO'),
      () => clients.ieo(lab, 'unlock', 'unlockIEO'),
      () => clients.revoke(holder, early.token_id),
      () => clients.revokeFrom(holder, lab.id),
      () => revokeAll(holder),
      () => clients.revokeFrom(holder, lab.id),
      () => clients.grant(holder, lab.id),
    ]);
    expect(answers.map(({ status, body }) => body.revoked_count ?? status)).toEqual([200, 200, 1, 1, 0, 201]);
    const valid = async () => (await clients.verdict(answers.at(-1)?.body.token.token_id)).valid;
    expect(await valid()).toBe(true);
    await waitUntilSettled(db());
    expect(await valid()).toBe(true);
    await expectExactCounts(db());
  });

  test('counts neither expired consents nor those of institutions that have ended', async () => {
    const { holder, lab } = await parties();
    const other = await clients.newInstitution();
    const { token_id } = await clients.granted(holder, lab.id, READING);
    const atOther = await clients.granted(holder, other.id, READING);
    await addCopies(db(), token_id, 7);
    await addCopies(db(), token_id, 20, { expires_at: new Date(Date.now() - 1_000).toISOString() });
    await addCopies(db(), atOther.token_id, 5);
    const destroyed = await clients.ieo(other, 'destroy', 'destroyIEO');
    expect((await clients.revokeIntent(holder, 'EXPORT_DATA')).body.revoked_count).toBe(0);
    expect((await clients.revokeFrom(holder, other.id)).body.revoked_count).toBe(0);
    expect((await revokeAll(holder)).body.revoked_count).toBe(8);
    expect((await revokeAll(holder)).body.revoked_count).toBe(0);
    await waitUntilSettled(db());
    expect((await clients.verdict(atOther.token_id)).token.ledger.seq).toBe(seqOf(destroyed));
    await expectExactCounts(db());
  });

  test('finds no consents that expired by the last entry: they are subtracted meanwhile, without a revocation', async () => {
    const { holder, lab } = await parties();
    const { token_id } = await clients.granted(holder, lab.id, READING);
    await waitUntilSettled(db());
    const [{ accepted_at }] = (await db().query('SELECT accepted_at FROM ledger_head')).rows as [
      { accepted_at: string },
    ];
    await addCopies(db(), token_id, 450, { expires_at: accepted_at });
    const counted = async () => {
      const { rows } = await db().query('SELECT live FROM live_consents WHERE beo_id = $1', [holder.id]);
      return rows.map(({ live }) => live);
    };
    await expect.poll(counted, LONG).toEqual([1, 1]);
    await expectExactCounts(db());
  });

  test('is written into the rows by the next process, if the one that accepted it has stopped', async () => {
    const first = await startTestService();
    const { newHolder, newInstitution, granted, beo } = eventsOf(first);
    const [holder, lab] = await Promise.all([newHolder(), newInstitution()]);
    const { token_id } = await granted(holder, lab.id);
    const database = new pg.Pool({ connectionString: first.databaseUrl });
    try {
      await addCopies(database, token_id, 450);
      const release = await holdTokens(first.databaseUrl, holder.id);
      const revoked = await beo(holder, 'revoke-all', 'revokeAllTokens');
      expect(revoked.body.revoked_count).toBe(451);
      const cancelSettling = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'WITH due AS%' AND wait_event_type = 'Lock' AND datname = current_database()`;
      const stopping = first.service.stop();
      await expect.poll(async () => (await database.query(cancelSettling)).rowCount, LONG).toBeGreaterThan(0);
      await stopping;
      expect((await database.query('SELECT FROM revocations')).rowCount).toBe(1);
      const shared = { DATA_DIR: first.dataDir, GATEWAY_URL: first.gatewayUrl };
      const next = await startTestService(shared, { databaseUrl: first.databaseUrl });
      expect((await eventsOf(next).verdict(token_id)).token.ledger.seq).toBe(seqOf(revoked));
      await release();
      await waitUntilSettled(database);
      const { rows } = await database.query('SELECT DISTINCT seq::int FROM tokens WHERE beo_id = $1', [holder.id]);
      expect(rows).toEqual([{ seq: seqOf(revoked) }]);
      await next.stop();
    } finally {
      await database.end();
      await first.stop();
    }
  });
});

describe('the limit of live consents', () => {
  beforeEach(() => waitUntilSettled(db()));

  test('refuses the next one, counts no expired ones, and makes room for each that ends', async () => {
    const { holder, lab } = await parties();
    const { token_id } = await clients.granted(holder, lab.id);
    await addCopies(db(), token_id, 9_997);
    await addCopies(db(), token_id, 2, { expires_at: new Date(Date.now() - 1_000).toISOString() });
    const scopes = [['EXPORT_DATA'], ['REQUEST_SCORE'], ['SYNC_PROTOCOL']].map((intents) => ({
      intents,
      categories: ['*'],
    }));
    await clients.granted(holder, lab.id, scopes[0]);
    const last = await clients.granted(holder, lab.id, scopes[1]);
    const refused = await clients.grant(holder, lab.id, scopes[2]);
    expect([refused.status, refused.body.code]).toEqual([403, 'CONSENT_LIMIT_REACHED']);
    await clients.revoke(holder, last.token_id);
    await clients.granted(holder, lab.id, scopes[2]);
    expect((await clients.grant(holder, lab.id, scopes[1])).body.code).toBe('CONSENT_LIMIT_REACHED');
    expect((await revokeAll(holder)).body.revoked_count).toBe(10_000);
    await clients.granted(holder, lab.id, scopes[1]);
    await waitUntilSettled(db());
    await expectExactCounts(db());
  });
});
