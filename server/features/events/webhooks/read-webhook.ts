import type { z } from 'zod';
import type { Ieo } from '../../../../protocol/entities/ieo.ts';
import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { EventCursor } from '../../../../protocol/events.ts';
import type { PauseReason, RecentResponse, webhookState } from '../../../../protocol/read-responses.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { READ_WEBHOOK } from '../../../../protocol/signing/webhook-requests.ts';
import { institutionOf, signedRead } from '../../../entities/signed-read.ts';
import { available } from '../../../platform/db/pool.ts';
import { sealEventCursor } from '../list-events.ts';
import { readEvents } from '../read-events.ts';
import type { ControlParts } from './webhook-control.ts';

interface StateRow {
  readonly place: EventCursor;
  readonly replayUntil: EventCursor | null;
  readonly dueAt: Instant | null;
  readonly failures: number;
  readonly failingSince: Instant | null;
  readonly pausedAt: Instant | null;
  readonly pauseReason: PauseReason | null;
  readonly responses: readonly RecentResponse[];
}

type WebhookState = z.output<typeof webhookState>;

/** Events that are counted as waiting. */
const MAX_COUNTED = 1_000;

/** The delivery to an institution's webhook, for the institution alone, in whatever status. Protocol §9. @throws {ProtocolError} */
export async function readWebhook(parts: ControlParts, body: Json): Promise<WebhookState> {
  const { ieo } = await signedRead(parts, READ_WEBHOOK, body, institutionOf(parts));
  return available(() => webhookView(parts, ieo));
}

/** The state of the delivery to an institution's webhook. */
export async function webhookView(parts: ControlParts, ieo: Ieo): Promise<WebhookState> {
  const { rows } = await parts.pool.query<StateRow>({
    name: 'read-webhook',
    text: `SELECT place, replay_until AS "replayUntil", due_at AS "dueAt", failures, failing_since AS "failingSince",
             paused_at AS "pausedAt", pause_reason AS "pauseReason", responses
           FROM webhooks WHERE ieo_id = $1`,
    values: [ieo.id],
  });
  const row = ieo.contacts.webhookUrl === null ? undefined : rows[0];
  const waiting = row && row.dueAt !== null ? await readEvents(parts, ieo.id, row.place, MAX_COUNTED) : null;
  return {
    ieo_id: ieo.id,
    webhook_url: ieo.contacts.webhookUrl,
    status: statusOf(parts.webhooks.keys.length > 0, ieo, row),
    paused_at: row?.pausedAt ?? null,
    pause_reason: row?.pauseReason ?? null,
    failures: row?.failures ?? 0,
    failing_since: row?.failingSince ?? null,
    next_attempt_at: row && row.pausedAt === null && waiting && waiting.events.length > 0 ? row.dueAt : null,
    replaying_until: row?.replayUntil?.at ?? null,
    cursor: row ? sealEventCursor(parts.cursors, ieo.id, row.place) : null,
    waiting: { events: waiting?.events.length ?? 0, more: waiting?.more ?? false },
    responses: row?.responses ?? [],
  };
}

function statusOf(delivers: boolean, { contacts }: Ieo, row: StateRow | undefined): WebhookState['status'] {
  if (contacts.webhookUrl === null) return 'NONE';
  if (!delivers) return 'OFF';
  if (row?.pausedAt) return 'PAUSED';
  return row && row.failures > 0 ? 'FAILING' : 'ACTIVE';
}
