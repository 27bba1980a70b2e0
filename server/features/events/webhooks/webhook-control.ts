import type { Pool, PoolClient } from 'pg';
import type { Ieo } from '../../../../protocol/entities/ieo.ts';
import { refusal } from '../../../../protocol/errors.ts';
import { BEFORE_SEQS, compareCursors, type EventCursor } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import type { RecentResponse } from '../../../../protocol/read-responses.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { SignedRequest } from '../../../../protocol/signing/message.ts';
import { isCursor, WEBHOOK_FORMS, type WebhookAction } from '../../../../protocol/signing/webhook-requests.ts';
import { type ChargeKey, institutionOf, type SignedReadParts, signedRead } from '../../../entities/signed-read.ts';
import type { Cursors } from '../../../platform/db/cursor.ts';
import { available } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { findEvent } from '../find-event.ts';
import { openEventCursor } from '../list-events.ts';
import type { EventParts } from '../read-events.ts';
import { testMessage } from './message.ts';
import { webhookView } from './read-webhook.ts';
import type { Webhooks } from './webhooks.ts';

export type ControlParts = SignedReadParts & EventParts & { readonly cursors: Cursors; readonly webhooks: Webhooks };

interface Asked {
  readonly ieo: Ieo;
  readonly url: string;
  readonly fields: SignedRequest['fields'];
  readonly now: number;
}

type Control = (parts: ControlParts, asked: Asked) => Promise<RecentResponse | null>;

const CONTROLS: Readonly<Record<WebhookAction, Control>> = {
  pause: ({ pool }, { ieo, now }) =>
    update(
      pool,
      ieo.id,
      now,
      `paused_at = coalesce(paused_at, $2), pause_reason = coalesce(pause_reason, 'REQUESTED')`,
    ),
  // Also without a pause: the next attempt is now.
  resume: ({ pool }, { ieo, now }) =>
    update(pool, ieo.id, now, 'paused_at = NULL, pause_reason = NULL, failures = 0, failing_since = NULL, due_at = $2'),
  test: ({ webhooks }, { ieo, url, now }) => webhooks.sendNow({ ieoId: ieo.id, url }, 'test', testMessage(ieo.id, now)),
  async resend(parts, { ieo, url, fields }) {
    const event = await findEvent(parts, ieo.id, String(fields.eventId), String(fields.at));
    if (!event)
      throw refusal('NOT_FOUND', 'There is no event with this id at this time; both are in the event itself.');
    return parts.webhooks.sendNow({ ieoId: ieo.id, url }, 'resend', event);
  },
  async replay({ pool, cursors }, { ieo, fields, now }) {
    const from = placeOf(cursors, ieo.id, String(fields.from), 'from', BEFORE_SEQS);
    const until = fields.until === null ? null : placeOf(cursors, ieo.id, String(fields.until), 'until', LAST_AT);
    if (until && compareCursors(from, until) >= 0) throw wrongPlace('until', 'must be after from');
    await inTransaction(pool, (client) => replay(client, ieo.id, { from, until, now }));
    return null;
  },
};

/**
 * An action of an institution on the delivery to its webhook, in whatever status the institution is. Not a ledger
 * entry. Protocol §9.
 * @returns the state afterwards, and the receiver's response where a message was sent
 * @throws {ProtocolError} NOT_FOUND without a webhook
 */
export async function controlWebhook(parts: ControlParts, action: WebhookAction, body: Json, charge: ChargeKey | null) {
  const signed = await signedRead(parts, WEBHOOK_FORMS[action], body, institutionOf(parts), charge);
  const { ieo, now } = signed;
  const { fields } = signed.request;
  const { webhookUrl: url } = ieo.contacts;
  if (url === null) throw noWebhook();
  const response = await available(() => CONTROLS[action](parts, { ieo, url, fields, now }));
  parts.webhooks.wake();
  const view = await webhookView(parts, ieo);
  return { ...view, responses: withResponse(view.responses, response), response };
}

/** A webhook that was only just set has no row yet that stores the response. */
function withResponse(stored: readonly RecentResponse[], response: RecentResponse | null): readonly RecentResponse[] {
  const isStored = stored.some(({ event_id, at }) => event_id === response?.event_id && at === response.at);
  return response === null || isStored ? stored : [response, ...stored];
}

const noWebhook = () =>
  refusal('NOT_FOUND', 'This institution has no webhook; set webhookUrl with POST /api/ieo/contacts first.');

const wrongPlace = (path: string, message: string) =>
  refusal('VALIDATION_FAILED', `The field ${path} ${message}.`, { issues: [{ path, message }] });

async function update(pool: Pool, ieoId: IeoId, now: number, change: string): Promise<null> {
  const { rowCount } = await pool.query(`UPDATE webhooks SET ${change} WHERE ieo_id = $1`, [ieoId, new Date(now)]);
  if (rowCount === 0) throw refusal('UNAVAILABLE', 'The webhook was only just set; try again shortly.');
  return null;
}

const LAST_AT = { seq: Number.MAX_SAFE_INTEGER, name: '~' };

/** The place of a cursor, or before or after every event of a time. */
function placeOf(
  cursors: Cursors,
  ieoId: IeoId,
  text: string,
  path: string,
  within: Omit<EventCursor, 'at'>,
): EventCursor {
  if (isCursor(text)) return openEventCursor(cursors, ieoId, text, path);
  return { at: new Date(text).toISOString(), ...within };
}

interface Wanted {
  readonly from: EventCursor;
  readonly until: EventCursor | null;
  readonly now: number;
}

/** Sends the events of a range again; those after it that were delivered are not. A replay does not end a pause. */
async function replay(client: PoolClient, ieoId: IeoId, { from, until, now }: Wanted): Promise<void> {
  const { rows } = await client.query<{ delivered: EventCursor }>(
    'SELECT coalesce(place_after_replay, place) AS delivered FROM webhooks WHERE ieo_id = $1 FOR UPDATE',
    [ieoId],
  );
  const [row] = rows;
  if (!row) throw refusal('UNAVAILABLE', 'The webhook was only just set; try again shortly.');
  const { delivered } = row;
  if (compareCursors(from, delivered) >= 0) throw wrongPlace('from', 'must be before the last delivered event');
  const range = until && compareCursors(until, delivered) < 0 ? until : null;
  await client.query(
    `UPDATE webhooks SET place = $2, replay_until = $3, place_after_replay = $4, version = version + 1, news = news + 1,
       due_at = $5, failures = 0, failing_since = NULL WHERE ieo_id = $1`,
    [ieoId, JSON.stringify(from), range && JSON.stringify(range), range && JSON.stringify(delivered), new Date(now)],
  );
}
