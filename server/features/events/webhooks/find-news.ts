import type { Pool, PoolClient } from 'pg';
import { cursorAt, FIRST_CURSOR } from '../../../../protocol/events.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { type Horizon, readHorizon } from '../horizon.ts';
import { readNews, WITH_EXPIRIES } from '../news.ts';

/**
 * A search that marks the webhooks that may have new events, and takes over the URLs that institutions set. Any number
 * of processes may search. It returns whether there was anything.
 */
export function createNewsSearch(pool: Pool): (now: number) => Promise<boolean> {
  return async (now) => {
    const { rows } = await pool.query<Horizon & { head: number; hasExpired: boolean }>({
      name: 'webhook-search',
      text: `SELECT s.seq, s.at, h.seq AS head, EXISTS (${WITH_EXPIRIES('s.at', '$1')}) AS "hasExpired"
        FROM webhook_search s, ledger_head h`,
      values: [new Date(now)],
    });
    const [since] = rows;
    if (!since) {
      await inTransaction(pool, begin);
      return false;
    }
    if (since.head === since.seq && !since.hasExpired) return false;
    return search(pool, since, now);
  };
}

async function search(pool: Pool, since: Horizon, now: number): Promise<boolean> {
  // Outside the transaction below, because it may lock the head of the ledger.
  const { institutions, horizon } = await readNews(pool, since, now);
  if (horizon === null || (horizon.seq === since.seq && horizon.at === since.at)) return false;
  await inTransaction(pool, async (client) => {
    // First, so that only one of several processes that found the same news goes on.
    const { rowCount } = await client.query({
      name: 'webhook-searched',
      text: 'UPDATE webhook_search SET seq = $1, at = $2 WHERE seq = $3 AND at = $4',
      values: [horizon.seq, horizon.at, since.seq, since.at],
    });
    if (rowCount === 0) return;
    if (horizon.seq > since.seq) await takeOverUrls(client, since.seq, horizon.seq, now);
    if (institutions.length > 0) await markDue(client, institutions, now);
  });
  return true;
}

/** The webhooks that exist when a service first delivers: each begins now, without the events before. */
async function begin(client: PoolClient): Promise<void> {
  const { seq, at } = (await readHorizon(client)) ?? FIRST_CURSOR;
  const { rowCount } = await client.query(
    'INSERT INTO webhook_search (seq, at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [seq, at],
  );
  if (rowCount === 0) return;
  await client.query(
    `INSERT INTO webhooks (ieo_id, url, place)
     SELECT id, contacts ->> 'webhookUrl', $1 FROM ieos
     WHERE contacts ->> 'webhookUrl' IS NOT NULL AND status <> 'DESTROYED' ON CONFLICT DO NOTHING`,
    [JSON.stringify(cursorAt(seq, at))],
  );
}

const markDue = (client: PoolClient, ieoIds: readonly string[], now: number) =>
  client.query({
    name: 'mark-webhooks-due',
    text: `UPDATE webhooks SET news = news + 1, due_at = coalesce(due_at, $2), waiting_since = coalesce(waiting_since, $2)
           WHERE ieo_id = ANY($1::uuid[])`,
    values: [ieoIds, new Date(now)],
  });

/**
 * A new webhook begins with the entry that set it. One with another URL continues where it was, without a pause and
 * at once. One that was removed, or whose institution was destroyed, is deleted with its responses.
 */
async function takeOverUrls(client: PoolClient, after: number, until: number, now: number): Promise<void> {
  const { rows: changes } = await client.query<{ id: string; seq: number; at: string }>({
    name: 'webhook-url-changes',
    text: `SELECT entity_id AS id, min(seq) AS seq, min(accepted_at) AS at FROM ledger_entries
           WHERE function IN ('updateContacts', 'destroyIEO') AND seq > $1 AND seq <= $2 GROUP BY entity_id`,
    values: [after, until],
  });
  if (changes.length === 0) return;
  const ids = changes.map(({ id }) => id);
  await client.query({
    name: 'remove-webhooks',
    text: `DELETE FROM webhooks USING ieos WHERE id = ieo_id AND ieo_id = ANY($1::uuid[])
             AND (contacts ->> 'webhookUrl' IS NULL OR status = 'DESTROYED')`,
    values: [ids],
  });
  await client.query({
    name: 'set-webhooks',
    text: `INSERT INTO webhooks (ieo_id, url, place)
           SELECT ieos.id, contacts ->> 'webhookUrl', new.place
           FROM unnest($1::uuid[], $2::jsonb[]) AS new (id, place) JOIN ieos USING (id)
           WHERE contacts ->> 'webhookUrl' IS NOT NULL AND status <> 'DESTROYED'
           ON CONFLICT (ieo_id) DO UPDATE SET url = excluded.url, version = webhooks.version + 1, due_at = $3,
             failures = 0, failing_since = NULL, paused_at = NULL, pause_reason = NULL
           WHERE webhooks.url <> excluded.url`,
    values: [ids, changes.map(({ seq, at }) => JSON.stringify(cursorAt(seq, at))), new Date(now)],
  });
}
