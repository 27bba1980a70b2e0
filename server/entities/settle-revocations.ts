import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

type Db = Pick<PoolClient, 'query'>;

/** Tokens of one statement, which locks their rows. */
const CHUNK = 200;
/** Holders of one round trip, each in a transaction of its own. */
const HOLDERS = 50;
/** Of the time, so that writes beside it do not slow down. */
const SHARE = 0.2;
const RETRY_MS = 1_000;

/** In live_consents the grantee of the totals, and in swept_consents the holder of the search. */
export const ALL = '00000000-0000-0000-0000-000000000000';

/** If a commit is lost in a crash, the step is done again. */
const COMMIT_SOON = "set_config('synchronous_commit', 'off', true) = 'off'";

/**
 * One step, in transactions of its own: writes revocations into some of the tokens that they ended, or subtracts consents of some
 * holders that have expired, or whose institution has ended. Reads are the same before and after. Any number of processes may do it
 * at once.
 * @returns what is left: `blocked` if another process is at it
 */
async function settleSome(db: Db): Promise<'nothing' | 'more' | 'blocked'> {
  const { rows } = await db.query<{ seq: number; beo_id: string }>({
    name: 'next-revocation',
    text: 'SELECT seq, beo_id FROM revocations ORDER BY seq LIMIT 1',
  });
  const [next] = rows;
  if (!next) return subtractSome(db);
  // Without a name: a plan from a time with few tokens would scan all of them.
  const { rowCount } = await db.query({
    text: `WITH due AS (
        SELECT id, revoked_at, seq FROM effective_tokens
        WHERE beo_id = $1 AND stored_revoked_at IS NULL AND revoked_at IS NOT NULL AND ${COMMIT_SOON} LIMIT ${CHUNK})
      UPDATE tokens SET revoked_at = due.revoked_at, seq = due.seq FROM due
      WHERE tokens.id = due.id AND tokens.revoked_at IS NULL`,
    values: [next.beo_id],
  });
  if (rowCount) return 'more';
  const { rows: counts } = await db.query<{ removed: number }>({
    name: 'remove-earlier-generations',
    text: `SELECT remove_earlier_generations($1, ${CHUNK}) AS removed`,
    values: [next.beo_id],
  });
  if (counts[0]?.removed) return 'more';
  const { rowCount: removed } = await db.query({
    text: `DELETE FROM revocations r WHERE r.seq = $1 AND NOT EXISTS
             (SELECT FROM effective_tokens t WHERE t.beo_id = r.beo_id AND t.stored_revoked_at IS NULL AND t.seq = r.seq)`,
    values: [next.seq],
  });
  return removed ? 'more' : 'blocked';
}

async function subtractSome(db: Db): Promise<'nothing' | 'more'> {
  const { rows } = await db.query<{ ieo_id: string; beo_id: string | null }>({
    name: 'next-ended-grantee',
    text: `SELECT ended.ieo_id, holders.beo_id FROM (SELECT ieo_id FROM ended_grantees LIMIT 1) ended LEFT JOIN LATERAL
             (SELECT DISTINCT beo_id FROM live_consents WHERE grantee_id = ended.ieo_id
                AND grantee_id <> '${ALL}' LIMIT ${HOLDERS}) holders ON true`,
  });
  const [next] = rows;
  if (!next) return sweepSome(db);
  if (next.beo_id === null) {
    await db.query({
      name: 'remove-ended-grantee',
      text: 'DELETE FROM ended_grantees WHERE ieo_id = $1',
      values: [next.ieo_id],
    });
    return 'more';
  }
  await Promise.all(
    rows.map(({ ieo_id, beo_id }) =>
      db.query({
        name: 'subtract-grantees',
        text: `SELECT subtract_grantees($1, ARRAY[$2::uuid]) WHERE ${COMMIT_SOON}`,
        values: [beo_id, ieo_id],
      }),
    ),
  );
  return 'more';
}

/** Subtracts consents that have expired, so that a revocation, under the lock of the head, finds few of them. */
async function sweepSome(db: Db): Promise<'nothing' | 'more'> {
  const { rows } = await db.query<{ beo_id: string; until: string }>({
    name: 'next-expired-consents',
    text: `SELECT beo_id, (max(max(expires_at)) OVER ())::text AS until FROM (
             SELECT * FROM newly_expired_consents ORDER BY expires_at FETCH FIRST ${CHUNK} ROWS WITH TIES) expired
           GROUP BY beo_id`,
  });
  const [next] = rows;
  if (!next) return 'nothing';
  await Promise.all(
    rows.map(({ beo_id, until }) =>
      db.query({
        name: 'subtract-expired-consents',
        text: `SELECT subtract_expired_consents($1, $2) WHERE ${COMMIT_SOON}`,
        values: [beo_id, until],
      }),
    ),
  );
  await db.query({
    name: 'save-swept',
    text: `INSERT INTO swept_consents AS kept (beo_id, until) SELECT '${ALL}', $1 WHERE ${COMMIT_SOON}
           ON CONFLICT (beo_id) DO UPDATE SET until = greatest(kept.until, EXCLUDED.until)`,
    values: [next.until],
  });
  return 'more';
}

/** Settles all revocations. @param pauseFor is awaited after each step, with a time in ms */
export async function settleRevocations(
  pool: Pool,
  pauseFor: (ms: number) => Promise<void> = async () => undefined,
): Promise<void> {
  for (;;) {
    const begun = performance.now();
    const left = await settleStep(pool);
    if (left === 'nothing') return;
    await pauseFor(left === 'blocked' ? RETRY_MS : Math.min(RETRY_MS, (performance.now() - begun) / SHARE));
  }
}

/** On one connection, which pipelines. It is not kept between the steps. */
async function settleStep(pool: Pool) {
  const db = await pool.connect();
  try {
    const left = await settleSome(db);
    db.release();
    return left;
  } catch (error) {
    db.release(true);
    throw error;
  }
}

export interface Settling {
  /** There may be something to settle. */
  wake(): void;
  stop(): Promise<void>;
}

/** Settles at the start, and whenever it is woken. Otherwise it does nothing. */
export function startSettling(pool: Pool, onFailing: (error: unknown) => void): Settling {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  let isDue = true;
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (!isDue) await new Promise<void>((resolve) => (wake = resolve));
      isDue = false;
      try {
        if (!signal.aborted) await settleRevocations(pool, pause);
      } catch (error) {
        if (signal.aborted) return;
        onFailing(error);
        isDue = true;
        await pause(RETRY_MS).catch(() => undefined);
      }
    }
  }
  const running = run();

  const due = () => {
    isDue = true;
    wake();
  };
  return {
    wake: due,
    async stop() {
      stopping.abort();
      due();
      await running;
    },
  };
}
