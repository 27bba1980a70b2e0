import type { Pool } from 'pg';
import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { EventCursor } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import type { PauseReason, RecentResponse } from '../../../../protocol/read-responses.ts';

/** Responses that are kept for each institution. */
export const MAX_RESPONSES = 20;

export interface Replay {
  /** The place of the last event that is sent again. */
  readonly until: EventCursor;
  /** Where delivery continues afterwards. */
  readonly placeAfter: EventCursor;
}

/** A webhook that this process may send to, until its lease ends. */
export interface Claimed {
  readonly ieoId: IeoId;
  readonly url: string;
  readonly place: EventCursor;
  readonly replay: Replay | null;
  readonly failures: number;
  readonly failingSince: Instant | null;
  readonly news: number;
  readonly version: number;
  readonly lease: string;
}

interface ClaimedRow extends Omit<Claimed, 'replay'> {
  readonly until: EventCursor | null;
  readonly placeAfter: EventCursor | null;
}

interface Claim {
  readonly now: number;
  readonly leaseMs: number;
  /** Those whose last request failed, or the others. */
  readonly failing: boolean;
  readonly limit: number;
  /** The institutions that this process sends to. */
  readonly own: readonly IeoId[];
}

const IS_DUE = 'due_at <= $1 AND paused_at IS NULL AND (lease_until IS NULL OR lease_until <= $1)';

/** Whether `claimDue` may find a webhook that is not one of the own ones, and whether any will be due or is leased. `now` in ms. */
export async function findDue(
  pool: Pool,
  now: number,
  own: readonly IeoId[],
): Promise<{ readonly isAny: boolean; readonly isWaiting: boolean }> {
  const { rows } = await pool.query<{ isAny: boolean; isWaiting: boolean }>({
    name: 'webhooks-due',
    text: `SELECT EXISTS (SELECT FROM webhooks WHERE ${IS_DUE} AND ieo_id <> ALL ($2::uuid[])) AS "isAny",
      EXISTS (SELECT FROM webhooks WHERE due_at IS NOT NULL AND paused_at IS NULL) AS "isWaiting"`,
    values: [new Date(now), own],
  });
  return rows[0] ?? { isAny: false, isWaiting: false };
}

/**
 * Leases webhooks that are due and that no process sends to, longest due first. The own ones are named: after a step of
 * the clock their lease may seem to have ended.
 */
export async function claimDue(pool: Pool, { now, leaseMs, failing, limit, own }: Claim): Promise<Claimed[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: 'claim-webhooks',
    text: `UPDATE webhooks SET lease = gen_random_uuid(), lease_until = $2 WHERE ieo_id IN
             (SELECT ieo_id FROM webhooks
              WHERE ${IS_DUE}
                AND (failures > 0) = $3 AND ieo_id <> ALL ($5::uuid[])
              ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
           RETURNING ieo_id AS "ieoId", url, place, replay_until AS until, place_after_replay AS "placeAfter", failures,
             failing_since AS "failingSince", news, version, lease`,
    values: [new Date(now), new Date(now + leaseMs), failing, limit, own],
  });
  return rows.map(({ until, placeAfter, ...row }) => ({
    ...row,
    replay: until && placeAfter ? { until, placeAfter } : null,
  }));
}

/** How far delivery has come. */
export interface Progress {
  readonly place: EventCursor;
  readonly replay: Replay | null;
  /** When the next event happened, if one is known. */
  readonly waitingSince: Instant | null;
  /** Newest first. */
  readonly responses: readonly RecentResponse[];
}

const WITH_RESPONSES = (parameter: string) =>
  `responses = jsonb_path_query_array(${parameter}::jsonb || responses, '$[0 to ${MAX_RESPONSES - 1}]')`;

/**
 * Records delivered events and renews the lease.
 * @returns the current count of news; null if the sender must stop: the webhook was changed, paused or removed
 */
export async function saveProgress(
  pool: Pool,
  { ieoId, lease, version }: Claimed,
  { place, replay, waitingSince, responses }: Progress,
  leaseUntil: number,
): Promise<number | null> {
  const { rows } = await pool.query<{ news: number | null }>({
    name: 'save-webhook-progress',
    text: `UPDATE webhooks SET place = $4, replay_until = $5, place_after_replay = $6,
             failures = CASE WHEN $9 = '[]'::jsonb THEN failures ELSE 0 END,
             failing_since = CASE WHEN $9 = '[]'::jsonb THEN failing_since END,
             waiting_since = coalesce($7, waiting_since),
             lease_until = $8, ${WITH_RESPONSES('$9')}
           WHERE ieo_id = $1 AND lease = $2 AND version = $3
           RETURNING CASE WHEN paused_at IS NULL THEN news END AS news`,
    values: [
      ieoId,
      lease,
      version,
      JSON.stringify(place),
      replay && JSON.stringify(replay.until),
      replay && JSON.stringify(replay.placeAfter),
      waitingSince,
      new Date(leaseUntil),
      JSON.stringify(responses.slice(0, MAX_RESPONSES)),
    ],
  });
  return rows[0]?.news ?? null;
}

/** Why a sender gives a webhook back. */
export type TurnEnd =
  /** No event waits after `place`, if there was no news since `news`. */
  | { readonly why: 'empty'; readonly news: number; readonly place: EventCursor }
  /** Events wait, but other webhooks are due too. */
  | { readonly why: 'more' }
  | {
      readonly why: 'failed';
      readonly failures: number;
      readonly failingSince: number;
      readonly dueAt: number;
      readonly response: RecentResponse;
    }
  | {
      readonly why: 'paused';
      readonly reason: PauseReason;
      readonly failures: number;
      readonly failingSince: number;
      readonly response: RecentResponse;
    };

/** Ends the lease. The end counts only if the webhook was not changed meanwhile. */
export async function endTurn(
  pool: Pool,
  { ieoId, lease, version }: Claimed,
  end: TurnEnd,
  now: number,
): Promise<void> {
  const failed = 'response' in end ? end : null;
  const { rowCount } = await pool.query({
    name: 'end-webhook-turn',
    text: `UPDATE webhooks SET lease = NULL, lease_until = NULL, place = coalesce($11, place),
             replay_until = CASE WHEN $11::jsonb IS NULL THEN replay_until END,
             place_after_replay = CASE WHEN $11::jsonb IS NULL THEN place_after_replay END,
             due_at = CASE WHEN news = $4 THEN NULL ELSE coalesce($5, due_at) END,
             waiting_since = CASE WHEN news = $4 THEN NULL ELSE waiting_since END,
             failures = coalesce($6, failures), failing_since = coalesce($7, failing_since),
             paused_at = CASE WHEN $8::text IS NULL THEN paused_at ELSE $9 END,
             pause_reason = coalesce($8, pause_reason), ${WITH_RESPONSES('$10')}
           WHERE ieo_id = $1 AND lease = $2 AND version = $3 AND paused_at IS NULL`,
    values: [
      ieoId,
      lease,
      version,
      end.why === 'empty' ? end.news : null,
      end.why === 'failed' ? new Date(end.dueAt) : new Date(now),
      failed?.failures ?? null,
      failed ? new Date(failed.failingSince) : null,
      end.why === 'paused' ? end.reason : null,
      new Date(now),
      JSON.stringify(failed ? [failed.response] : []),
      end.why === 'empty' ? JSON.stringify(end.place) : null,
    ],
  });
  if (rowCount === 0) await giveUpLease(pool, { ieoId, lease });
}

/** Ends the lease of a webhook that was changed, or whose sender is being stopped. */
export async function giveUpLease(pool: Pool, { ieoId, lease }: Pick<Claimed, 'ieoId' | 'lease'>): Promise<void> {
  await pool.query({
    name: 'give-up-webhook-lease',
    text: 'UPDATE webhooks SET lease = NULL, lease_until = NULL WHERE ieo_id = $1 AND lease = $2',
    values: [ieoId, lease],
  });
}

/** Adds a response outside delivery in order: to a test event, or to an event that is sent again. */
export async function addResponse(pool: Pool, ieoId: IeoId, response: RecentResponse): Promise<void> {
  await pool.query({
    name: 'add-webhook-response',
    text: `UPDATE webhooks SET ${WITH_RESPONSES('$2')} WHERE ieo_id = $1`,
    values: [ieoId, JSON.stringify([response])],
  });
}

/**
 * The deliveries of all institutions, for the metrics. The lag counts entries that were not searched yet, too, unless this service
 * delivers nothing.
 */
export async function readDeliveries(
  pool: Pool,
  now: number,
  delivers: boolean,
): Promise<{ failing: number; paused: number; lagSeconds: number }> {
  const { rows } = await pool.query<{ failing: number; paused: number; since: Instant | null }>({
    name: 'read-deliveries',
    text: `SELECT count(*) FILTER (WHERE failures > 0 AND paused_at IS NULL) AS failing,
             count(*) FILTER (WHERE paused_at IS NOT NULL) AS paused,
             least(min(waiting_since) FILTER (WHERE paused_at IS NULL), (SELECT accepted_at
               FROM webhook_search s JOIN ledger_entries e ON e.seq = s.seq + 1 WHERE $1)) AS since FROM webhooks`,
    values: [delivers],
  });
  const { failing = 0, paused = 0, since = null } = rows[0] ?? {};
  return { failing, paused, lagSeconds: since === null ? 0 : Math.max(0, (now - Date.parse(since)) / 1000) };
}
