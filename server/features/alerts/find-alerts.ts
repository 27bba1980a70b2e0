import type { ClientBase } from 'pg';
import type { AlertKind } from '../../../protocol/alerts.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { AlertMailKind } from '../mail/mail.ts';
import { type Alert, queueAlerts, RECOVERY } from './alert-rows.ts';

/** What the entries of a function are, for the holder whom they are about. */
const LETTERS: Readonly<Record<string, readonly [kind: AlertKind | typeof RECOVERY, letter: AlertMailKind]>> = {
  acceptGuardian: ['GUARDIANS_CHANGED', 'alertGuardianAccepted'],
  confirmGuardian: ['GUARDIANS_CHANGED', 'alertGuardianConfirmed'],
  resignGuardian: ['GUARDIANS_CHANGED', 'alertGuardianResigned'],
  inviteGuardian: ['GUARDIANS_CHANGED', 'alertGuardiansChanged'],
  updateRecovery: ['GUARDIANS_CHANGED', 'alertGuardiansChanged'],
  requireConfirmedGuardians: ['GUARDIANS_CHANGED', 'alertGuardiansChanged'],
  rotateKey: ['KEY_CHANGED', 'alertKeyChanged'],
  lockBEO: ['IDENTITY_FROZEN', 'alertFrozen'],
  grantConsent: ['CONSENT_GIVEN', 'alertConsentGiven'],
  confirmRecovery: [RECOVERY, 'alertRecoveryConfirmed'],
  cancelRecovery: [RECOVERY, 'alertRecoveryCancelled'],
};

/** Entries and requests of one step. */
const MAX_STEP = 1_000;
/** Older events are not reported: for as long a mail is retried. */
const MAX_AGE_MS = 72 * 3_600_000;

/**
 * Queues alerts for the entries since the last step, and for requests for a recovery that are new, or were closed before a confirmation.
 * The place in the ledger moves in the same transaction, and never back, so that a crash loses none and doubles none; any number of
 * processes may search, and one does at a time. Entries of the previous version are found too, because nothing but the ledger is read.
 * @returns whether there may be more
 */
export async function findAlerts(client: ClientBase, now: number): Promise<boolean> {
  const place = await client.query<{ seq: number }>({
    name: 'hold-alert-search',
    text: 'SELECT seq FROM alert_search FOR UPDATE SKIP LOCKED',
  });
  const [search] = place.rows;
  if (!search) return false;
  // A statement of its own: one that began before another process moved the place would see an older head.
  const { rows } = await client.query<{ head: number; any: boolean }>({
    name: 'head-to-search',
    text: 'SELECT seq AS head, EXISTS (SELECT FROM alert_settings) AS any FROM ledger_head',
  });
  const { head = 0, any = false } = rows[0] ?? {};
  const until = Math.max(search.seq, any ? Math.min(head, search.seq + MAX_STEP) : head);
  const entries = any && until > search.seq ? await alertsOfEntries(client, search.seq, until) : [];
  const requests = await alertsOfRequests(client);
  const recent = [...entries, ...requests].filter(({ at }) => now - Date.parse(at) < MAX_AGE_MS);
  await queueAlerts(client, recent, now);
  if (until !== search.seq) {
    await client.query({ name: 'move-alert-search', text: 'UPDATE alert_search SET seq = $1', values: [until] });
  }
  return until < head || requests.length === MAX_STEP;
}

interface EntryRow {
  readonly id: string;
  readonly function: string;
  readonly at: Instant;
  readonly owner_id: string;
  readonly recovered: boolean;
}

async function alertsOfEntries(client: ClientBase, after: number, until: number): Promise<readonly Alert[]> {
  const { rows } = await client.query<EntryRow>({
    name: 'entries-to-alert',
    text: `WITH found AS MATERIALIZED (
             SELECT e.seq, e.id, e.function, e.accepted_at,
               CASE WHEN e.function = 'grantConsent' THEN t.beo_id ELSE e.entity_id::uuid END AS owner_id
             FROM ledger_entries e LEFT JOIN tokens t ON e.function = 'grantConsent' AND t.id = e.entity_id
             WHERE e.seq > $1 AND e.seq <= $2 AND e.function = ANY($3::text[]))
           SELECT f.id, f.function, f.accepted_at AS at, f.owner_id,
             coalesce((b.recovery ->> 'recoveredAt')::timestamptz = f.accepted_at, false) AS recovered
           FROM found f JOIN alert_settings s ON s.owner_id = f.owner_id JOIN beos b ON b.id = f.owner_id ORDER BY f.seq`,
    values: [after, until, Object.keys(LETTERS)],
  });
  return rows.flatMap(({ id, function: name, at, owner_id, recovered }) => {
    const [kind, letter] = LETTERS[name] ?? [];
    if (!kind || !letter) return [];
    const isRecovered = recovered && name === 'confirmRecovery';
    return [{ kind, letter: isRecovered ? 'alertRecovered' : letter, ownerId: owner_id, aboutId: id, at }];
  });
}

interface RequestRow {
  readonly id: string;
  readonly beo_id: string;
  readonly opened_at: Instant;
  readonly cancelled_at: Instant | null;
}

async function alertsOfRequests(client: ClientBase): Promise<readonly Alert[]> {
  const { rows } = await client.query<RequestRow>({
    name: 'requests-to-alert',
    text: `UPDATE recovery_requests SET alerted = true WHERE id IN (
             SELECT id FROM recovery_requests WHERE alerted IS NULL ORDER BY opened_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           RETURNING id, beo_id, opened_at, cancelled_at`,
    values: [MAX_STEP],
  });
  return rows.map(({ id, beo_id, opened_at, cancelled_at }) => ({
    kind: RECOVERY,
    letter: cancelled_at === null ? 'alertRecoveryRequested' : 'alertRecoveryCancelled',
    ownerId: beo_id,
    aboutId: id,
    at: cancelled_at ?? opened_at,
  }));
}
