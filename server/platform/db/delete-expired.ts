import type { ClientBase } from 'pg';
import { REQUEST_MS } from '../../../protocol/entities/social-recovery.ts';
import { NONCE_RETENTION_MS } from '../../../protocol/time.ts';

/** After this time everything is deleted without asking whether there is anything. */
const MAX_MS = 60_000;

/** How long links are kept after their expiry, and how long mails count, in ms. */
export interface Retention {
  readonly linksMs: number;
  readonly mailCountsMs: number;
}

/** Deletes what has expired by `now`; `since` is the time of the previous step. Both in ms since 1970. */
export type Deletion = (client: ClientBase, now: number, since: number) => Promise<unknown>;

/**
 * A step that deletes what has expired: nonces, names, links and mail counts, and wakes the sweep of expired consents. One statement
 * asks first whether there is anything, so that a step without work is cheap.
 */
export function createExpiry(
  retention: Retention,
  deletions: readonly Deletion[],
): (client: ClientBase, now: number) => Promise<void> {
  let lastStep = 0;
  let lastFull = Number.NEGATIVE_INFINITY;
  return async (client, now) => {
    const since = lastStep;
    if (Math.abs(now - lastFull) >= MAX_MS || (await hasExpired(client, retention, now, since))) {
      await Promise.all(deletions.map((run) => run(client, now, since)));
      lastFull = now;
    }
    lastStep = now;
  };
}

async function hasExpired(client: ClientBase, retention: Retention, now: number, since: number): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>({
    name: 'has-expired',
    text: `SELECT EXISTS (SELECT FROM nonces WHERE seen_at < $3)
        OR EXISTS (SELECT FROM names WHERE holder_id IS NULL AND available_at < $3)
        OR EXISTS (SELECT FROM mail_counts WHERE at < $4)
        OR EXISTS (SELECT FROM recovery_mailings WHERE mailed_at < $4)
        OR EXISTS (SELECT FROM invitations WHERE expires_at < $5)
        OR EXISTS (SELECT FROM invitations WHERE expires_at >= $1 AND expires_at < $2)
        OR EXISTS (SELECT FROM recovery_requests WHERE opened_at < $5)
        OR EXISTS (SELECT FROM recovery_requests WHERE opened_at >= $6 AND opened_at < $7)
        OR EXISTS (SELECT FROM destroyed_links WHERE destroyed_at < $5)
        OR EXISTS (SELECT FROM consent_requests WHERE valid_until < $2)
        OR EXISTS (SELECT FROM shares WHERE expires_at >= $1 AND expires_at < $2)
        OR EXISTS (SELECT FROM newly_expired_consents)
        OR EXISTS (SELECT FROM vault_lapses WHERE at <= $2) AS any`,
    values: [
      since,
      now,
      now - NONCE_RETENTION_MS,
      now - retention.mailCountsMs,
      now - retention.linksMs,
      since - REQUEST_MS,
      now - REQUEST_MS,
    ].map((ms) => new Date(ms)),
  });
  return rows[0]?.any === true;
}
