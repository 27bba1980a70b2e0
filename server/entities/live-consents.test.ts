import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../lab/chaos/random.ts';
import { createPool } from '../platform/db/pool.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { expectExactCounts } from '../write/test-revocations.ts';
import { settleRevocations } from './settle-revocations.ts';

const BEGINNING = Date.parse('2026-03-01T12:00:00Z');
const at = (second: number): string => new Date(BEGINNING + second * 1_000).toISOString();

async function emptyLedger(): Promise<Pool> {
  const database = await migratedDatabase();
  const pool = createPool(database.url, 6, () => undefined);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query(
    `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, accepted_at, budget_day, budget_bytes)
     VALUES ('test', 'test', 1, 0, $1, '2026-03-01', 0)`,
    [at(0)],
  );
  return pool;
}

type Db = Pick<PoolClient, 'query'>;

interface Consent {
  readonly id: string;
  readonly beo_id: string;
  readonly grantee_id: string;
  readonly intents: readonly string[];
  readonly expires_at: string | null;
  readonly created_seq: number;
}

const grant = (db: Db, consents: readonly Consent[]) =>
  db.query(
    `INSERT INTO tokens (id, beo_id, grantee_kind, grantee_id, granted_at, expires_at, scope, scope_key, submitted,
       owner_signature, token_hash, transaction_id, seq, created_seq)
     SELECT id, beo_id, 'IEO', grantee_id, $2, expires_at, jsonb_build_object('intents', intents), id, 0, '', '', id,
       created_seq, created_seq
     FROM jsonb_to_recordset($1) AS granted (id text, beo_id uuid, grantee_id uuid, intents jsonb, expires_at timestamptz,
       created_seq bigint)`,
    [JSON.stringify(consents), at(0)],
  );

const strangers = (holder: string, count: number): Consent[] =>
  Array.from({ length: count }, () => ({
    ...{ id: randomUUID(), beo_id: holder, grantee_id: randomUUID() },
    ...{ intents: ['READ_RECORDS'], expires_at: at(1), created_seq: 1 },
  }));

async function revoke(
  db: Db,
  seq: number,
  { holder, grantee = null, intent = null }: { holder: string; grantee?: string | null; intent?: string | null },
  time: string,
): Promise<number> {
  const { rows } = await db.query('SELECT revoke_consents($1, $2, $3, $4, $5) AS revoked', [
    seq,
    holder,
    grantee,
    intent,
    time,
  ]);
  return Number(rows[0].revoked);
}

const moveHead = (db: Db, seq: number, time: string) =>
  db.query('UPDATE ledger_head SET seq = $1, accepted_at = $2', [seq, time]);

const endInstitution = (db: Db, id: string, seq: number, time: string) =>
  db.query(
    `INSERT INTO ieos (id, domain, ieo_type, key_version, status, created_at, updated_at, cert_level, certification, contacts,
       recovery, transaction_id, seq, created_seq)
     SELECT id, id, 'LAB', 1, 'DESTROYED', $3, $3, 'UNCERTIFIED', '{}', '{}', '{}', id, $2, 1 FROM (SELECT $1::uuid AS id) i`,
    [id, seq, time],
  );

/** How many rows of live_consents a step updates and deletes. */
async function changes(pool: Pool, step: (db: Db) => Promise<unknown>) {
  const client = await pool.connect();
  const counted = async (): Promise<readonly number[]> => {
    const text = 'SELECT n_tup_upd, n_tup_del FROM pg_stat_xact_user_tables WHERE relname = $1';
    return Object.values((await client.query(text, ['live_consents'])).rows[0]);
  };
  try {
    await client.query('BEGIN');
    const before = await counted();
    await step(client);
    const [updated, deleted] = (await counted()).map((count, index) => count - (before[index] ?? 0));
    return { updated, deleted };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('thousands of expired consents to different grantees are subtracted from the total at once', async () => {
  const pool = await emptyLedger();
  const holder = randomUUID();
  await grant(pool, strangers(holder, 3_000));
  expect(
    await changes(pool, async (db) => {
      expect(await revoke(db, 2, { holder }, at(2))).toBe(0);
    }),
  ).toEqual({ updated: 3_000 + 1 + 1, deleted: 0 });
});

test('thousands of consents to institutions that have ended are subtracted from the total at once', async () => {
  const pool = await emptyLedger();
  const holder = randomUUID();
  const consents = strangers(holder, 2_000);
  await grant(pool, consents);
  await pool.query('INSERT INTO ended_grantees (ieo_id, seq) SELECT grantee_id, 2 FROM tokens');
  expect(
    await changes(pool, async (db) => {
      expect(await revoke(db, 3, { holder }, at(0))).toBe(0);
    }),
  ).toEqual({ updated: 1 + 1, deleted: 2_000 });
});

test('consents that have expired by the last entry are subtracted before a revocation, in steps', async () => {
  const pool = await emptyLedger();
  const [holder, other] = [randomUUID(), randomUUID()];
  const lasting = strangers(holder, 3).map((consent) => ({ ...consent, expires_at: at(9) }));
  await grant(pool, [
    ...strangers(holder, 700).map((consent, index) => ({ ...consent, expires_at: at(1 + index / 1_000) })),
    ...[...strangers(other, 5), ...lasting],
  ]);
  const expired = async () => (await pool.query('SELECT FROM newly_expired_consents')).rowCount;
  expect(await expired()).toBe(0);
  await moveHead(pool, 2, at(5));
  expect(await expired()).toBe(705);
  await settleRevocations(pool);
  expect(await expired()).toBe(0);
  await expectExactCounts(pool);
  expect(
    await changes(pool, async (db) => {
      expect(await revoke(db, 3, { holder }, at(6))).toBe(3);
    }),
  ).toEqual({ updated: 1, deleted: 0 });
});

test('a revocation counts exactly, however it meets expiries, ends of institutions and what is settled beside it', async () => {
  const pool = await emptyLedger();
  const seed = Date.now();
  const random = createRandom(seed);
  const holders = [randomUUID(), randomUUID()];
  const grantees = Array.from({ length: 12 }, () => randomUUID());
  const ended = new Set<string>();
  let live: Consent[] = [];
  const writing = { on: true };
  const settling = [1, 2].map(async () => {
    while (writing.on) await settleRevocations(pool);
  });
  const client = await pool.connect();

  /** One entry, as a batch writes it. */
  async function write(seq: number): Promise<void> {
    const time = at(seq);
    live = live.filter(({ expires_at, grantee_id }) => !ended.has(grantee_id) && (expires_at ?? '9') > time);
    const [holder, grantee] = [random.pick(holders), random.pick(grantees)];
    const intents = random.pick([['READ_RECORDS'], ['EXPORT_DATA'], ['READ_RECORDS', 'EXPORT_DATA']]);
    const kind = random.whole(1, 12);
    if (kind === 1 && ended.size < 8 && !ended.has(grantee)) {
      await endInstitution(client, grantee, seq, time);
      ended.add(grantee);
    } else if (kind <= 4) {
      const asked = random.pick<{ grantee?: string; intent?: string }>([{}, { grantee }, { intent: intents[0] ?? '' }]);
      const covered = live.filter(
        (consent) =>
          consent.beo_id === holder &&
          (asked.grantee ?? consent.grantee_id) === consent.grantee_id &&
          (asked.intent === undefined || consent.intents.includes(asked.intent)),
      );
      expect([seed, seq, await revoke(client, seq, { holder, ...asked }, time)]).toEqual([seed, seq, covered.length]);
      live = live.filter((consent) => !covered.includes(consent));
    } else if (kind === 5 && live.length > 0) {
      const { id } = random.pick(live);
      await client.query('UPDATE tokens SET revoked_at = $2, seq = $3 WHERE id = $1', [id, time, seq]);
      live = live.filter((consent) => consent.id !== id);
    } else if (!ended.has(grantee)) {
      const granted = Array.from({ length: random.whole(1, 20) }, () => ({
        ...{ id: randomUUID(), beo_id: holder, grantee_id: grantee, intents, created_seq: seq },
        expires_at: random.chance(0.2) ? null : at(seq + random.whole(1, 20)),
      }));
      await grant(client, granted);
      live = [...live, ...granted];
    }
    await moveHead(client, seq, time);
  }

  try {
    for (let seq = 1; seq <= 400; seq += 1) {
      await client.query('BEGIN');
      await client.query('SELECT FROM ledger_head FOR UPDATE');
      await write(seq);
      await client.query('COMMIT');
    }
  } finally {
    client.release();
    writing.on = false;
    await Promise.all(settling);
  }
  await settleRevocations(pool);
  await expectExactCounts(pool);
  for (const holder of holders) {
    const count = live.filter(({ beo_id, grantee_id }) => beo_id === holder && !ended.has(grantee_id)).length;
    const { rows } = await pool.query('SELECT count_live_consents($1, 0, $2) AS live', [holder, at(400)]);
    expect(rows).toEqual([{ live: count }]);
  }
});

test('a process that did not see the end of a consent can neither use it nor undo that end', async () => {
  const pool = await emptyLedger();
  const holder = randomUUID();
  const [one, other] = strangers(holder, 2).map((consent) => ({ ...consent, expires_at: null })) as [Consent, Consent];
  await grant(pool, [one, other]);
  /** As the previous version saves what it read. */
  const saveWhole = (id: string, revoked_at: string | null, seq: number) =>
    pool.query(
      `INSERT INTO tokens SELECT (jsonb_populate_record(t, $2)).* FROM tokens t WHERE id = $1
       ON CONFLICT (id) DO UPDATE SET submitted = EXCLUDED.submitted, revoked_at = EXCLUDED.revoked_at, seq = EXCLUDED.seq`,
      [id, JSON.stringify({ revoked_at, submitted: 7, seq })],
    );
  const refused = { message: `The consent ${one.id} was ended by another operation.` };
  await saveWhole(one.id, null, 1);
  await revoke(pool, 2, { holder, grantee: one.grantee_id }, at(2));
  const stale = async () => {
    await expect(saveWhole(one.id, null, 1)).rejects.toMatchObject(refused);
    await expect(saveWhole(one.id, at(3), 3)).rejects.toMatchObject(refused);
    await saveWhole(other.id, null, 1);
  };
  await stale();
  await settleRevocations(pool);
  await stale();
  const { rows } = await pool.query('SELECT revoked_at, seq FROM tokens WHERE id = $1', [one.id]);
  expect(rows).toEqual([{ revoked_at: at(2), seq: 2 }]);
});
