import { z } from 'zod';
import { count, list, time, url, uuid } from '../../../../protocol/response-shapes.ts';

const PROBLEMS = [
  'URL_NOT_ALLOWED',
  'PORT_NOT_ALLOWED',
  'NO_PUBLIC_ADDRESS',
  'TIMEOUT',
  'CERTIFICATE_INVALID',
  'CONNECTION_FAILED',
  'STOPPED',
] as const;

export const recentResponse = z
  .object({
    at: time,
    sent: z.enum(['event', 'test', 'resend']),
    event_id: z.string(),
    event_type: z.string(),
    event_at: time.describe('When the event happened.'),
    status: z.int().nullable().describe('The HTTP status; null if there was no complete response.'),
    problem: z.enum(PROBLEMS).nullable().describe('Why there was none.'),
    ms: count.describe('Milliseconds of the exchange.'),
    body: z.string().describe('The first 512 bytes of the response.'),
  })
  .meta({ id: 'WebhookResponse' });

/** A response to one request, as the institution may read it. */
export type RecentResponse = z.output<typeof recentResponse>;
export type ExchangeProblem = (typeof PROBLEMS)[number];

export const PAUSE_REASONS = ['REQUESTED', 'GONE', 'FAILING'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const webhookState = z
  .object({
    ieo_id: uuid,
    webhook_url: url.nullable(),
    status: z
      .enum(['OFF', 'NONE', 'ACTIVE', 'FAILING', 'PAUSED'])
      .describe('OFF: the service sends no events. NONE: the institution has no webhook.'),
    paused_at: time.nullable(),
    pause_reason: z
      .enum(PAUSE_REASONS)
      .nullable()
      .describe('GONE: the receiver answered 410. FAILING: it failed for three days.'),
    failures: count.describe('Failed attempts in a row.'),
    failing_since: time.nullable(),
    next_attempt_at: time.nullable(),
    replaying_until: time.nullable().describe('During a replay of a range, its end.'),
    cursor: z.string().nullable().describe('The place after the last delivered event, as GET /api/events takes it.'),
    waiting: z.object({
      events: count.describe('Events that wait; at most 1000 are counted.'),
      more: z.boolean().describe('Whether there may be more.'),
    }),
    responses: list(recentResponse).describe('The last 20, newest first.'),
  })
  .meta({ id: 'Webhook' });

export const webhookAfterwards = webhookState.extend({
  response: recentResponse.nullable().describe('The response of the receiver, where a message was sent.'),
});
