import type { ClientBase, Pool } from 'pg';
import type { Language } from '../../../messages/languages.ts';
import { ADDRESS_LINK_MS } from '../../../protocol/alerts.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { AlertMailKind } from '../mail/mail.ts';

type Db = Pick<Pool, 'query'>;

/** The id of the vault row with an address. */
export const addressRow = (id: string): string => `alert:${id}`;

export interface AddressRow {
  readonly id: string;
  readonly addedAt: Instant;
  readonly confirmedAt: Instant | null;
  /** Until when an address that was removed receives alerts of recoveries. */
  readonly leavesAt: Instant | null;
}

/** Those that still count at `now` (ms), the oldest first. */
export async function readAddressRows(db: Db, ownerId: string, now: number): Promise<readonly AddressRow[]> {
  const { rows } = await db.query<AddressRow>({
    name: 'alert-addresses',
    text: `SELECT id, added_at AS "addedAt", confirmed_at AS "confirmedAt", leaves_at AS "leavesAt" FROM alert_addresses
           WHERE owner_id = $1 AND (leaves_at IS NULL OR leaves_at > $2) AND (confirmed_at IS NOT NULL OR added_at > $3)
           ORDER BY added_at, id`,
    values: [ownerId, new Date(now), new Date(now - ADDRESS_LINK_MS)],
  });
  return rows;
}

export interface SettingsRow {
  readonly kinds: readonly string[];
  readonly language: Language;
}

export async function readSettings(db: Db, ownerId: string): Promise<SettingsRow | null> {
  const { rows } = await db.query<SettingsRow>({
    name: 'alert-settings',
    text: 'SELECT kinds, language FROM alert_settings WHERE owner_id = $1',
    values: [ownerId],
  });
  return rows[0] ?? null;
}

/** Something that a holder is alerted to. */
export interface Alert {
  readonly letter: AlertMailKind;
  /** A kind of protocol/alerts.ts; RECOVERY goes to every confirmed address, also to one that was removed less than 72 hours ago. */
  readonly kind: string;
  readonly ownerId: string;
  /** Unique for the letter and the address. */
  readonly aboutId: string;
  readonly at: Instant;
}

export const RECOVERY = 'RECOVERY';

/** Queues alerts for the addresses that are to receive them. `now` in ms. */
export async function queueAlerts(client: ClientBase, alerts: readonly Alert[], now: number): Promise<void> {
  if (alerts.length === 0) return;
  await client.query({
    name: 'queue-alerts',
    text: `INSERT INTO alert_mails (id, kind, owner_id, address_id, about_id, happened_at, language, due_at)
           SELECT gen_random_uuid(), l.letter, l.owner_id, a.id, l.about_id, l.at, s.language, $6::timestamptz
           FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
             AS l (letter, kind, owner_id, about_id, at)
           JOIN alert_settings s ON s.owner_id = l.owner_id JOIN alert_addresses a ON a.owner_id = l.owner_id
           WHERE a.confirmed_at IS NOT NULL AND CASE WHEN l.kind = '${RECOVERY}'
             THEN a.leaves_at IS NULL OR a.leaves_at > l.at
             ELSE a.leaves_at IS NULL AND l.kind = ANY(s.kinds) END
           ON CONFLICT DO NOTHING`,
    values: [
      alerts.map(({ letter }) => letter),
      alerts.map(({ kind }) => kind),
      alerts.map(({ ownerId }) => ownerId),
      alerts.map(({ aboutId }) => aboutId),
      alerts.map(({ at }) => at),
      new Date(now),
    ],
  });
}

/** Deletes addresses that were not confirmed in time, and those that have left. Vault rows first, as an erasure does. */
export async function deletePastAddresses(client: ClientBase, now: number): Promise<void> {
  const past = '(leaves_at <= $1 OR (confirmed_at IS NULL AND added_at <= $2))';
  const values = [new Date(now), new Date(now - ADDRESS_LINK_MS)];
  await client.query(
    `DELETE FROM vault_rows WHERE id IN (SELECT '${addressRow('')}' || id FROM alert_addresses WHERE ${past})`,
    values,
  );
  await client.query(`DELETE FROM alert_addresses WHERE ${past}`, values);
}
