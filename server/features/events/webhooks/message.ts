import { randomUUID } from 'node:crypto';
import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { Event } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import type { RecentResponse } from '../../../../protocol/read-responses.ts';
import { signatureHeaders, type WebhookKeys } from './signing.ts';
import type { Exchange, Receiver } from './webhook-exchange.ts';

/** What is sent to a webhook: an event, or a test. */
export type Message = Event | TestMessage;

interface TestMessage {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly at: Instant;
  readonly seq: null;
  readonly data: { readonly ieo_id: IeoId };
}

/** A message that follows from nothing, so that a receiver can be tested. */
export const testMessage = (ieoId: IeoId, now: number): TestMessage => ({
  id: `evt_${randomUUID()}`,
  type: 'webhook.test',
  at: new Date(now).toISOString(),
  seq: null,
  data: { ieo_id: ieoId },
});

export interface SendParts {
  readonly keys: WebhookKeys;
  readonly userAgent: string;
  readonly clock: { now(): number };
}

/** Signs a message now and posts it. The body is the event as the API returns it, with the time also as `timestamp`. */
export function sendMessage(
  { keys, userAgent, clock }: SendParts,
  receiver: Receiver,
  message: Message,
  signal: AbortSignal,
): Promise<Exchange> {
  const body = Buffer.from(JSON.stringify({ ...message, timestamp: message.at }));
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders(keys, message.id, clock.now(), body),
  };
  return receiver.post(headers, body, signal);
}

/** Whether a receiver took a message. */
export const isDelivered = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

export const responseOf = (
  sent: RecentResponse['sent'],
  { id, type, at: happened }: Message,
  { status, problem, ms, body }: Exchange,
  now: number,
): RecentResponse => ({
  at: new Date(now).toISOString(),
  sent,
  event_id: id,
  event_type: type,
  event_at: happened,
  status,
  problem,
  ms,
  body,
});
