import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { refusal } from '../../../../protocol/errors.ts';
import type { IeoId, LedgerId } from '../../../../protocol/ids.ts';
import type { RecentResponse } from '../../../../protocol/read-responses.ts';
import type { Clock } from '../../../platform/db/clock.ts';
import type { Notifier } from '../../../platform/process/notifier.ts';
import type { EventParts } from '../read-events.ts';
import { addResponse } from './delivery-rows.ts';
import { type Message, responseOf, sendMessage } from './message.ts';
import { startSender } from './sender.ts';
import { agreeOnWebhookKeys, signersOf, type WebhookKeys } from './signing.ts';
import { createSlots } from './slots.ts';
import { type Exchange, type ExchangeRules, openReceiver } from './webhook-exchange.ts';

export interface Webhooks {
  /** Empty where the service delivers nothing, because it has no key. */
  readonly keys: WebhookKeys;
  /** Sends one message now, outside the order of events. @throws UNAVAILABLE without a key, or while too many of this institution wait */
  sendNow(
    webhook: { readonly ieoId: IeoId; readonly url: string },
    sent: RecentResponse['sent'],
    message: Message,
  ): Promise<RecentResponse>;
  /** Searches for due webhooks. */
  wake(): void;
  /** Cancels requests in flight. */
  stop(): Promise<void>;
}

export interface WebhooksParts {
  /** Of its own, so that delivery and writes do not wait for each other's connections. */
  readonly pool: Pool;
  readonly clock: Pick<Clock, 'now'>;
  readonly ledgerId: LedgerId;
  readonly vault: EventParts['vault'];
  readonly log: Logger;
  /** 32 bytes each; null without a key. */
  readonly seeds: readonly Buffer[] | null;
  readonly rules: ExchangeRules;
  readonly userAgent: string;
  readonly onAnswered: (outcome: 'delivered' | 'failed') => void;
  readonly turnMs?: number;
  /** Notified of each change of the ledger that this process makes or detects. */
  readonly changes?: Notifier;
}

/** The time for one exchange. */
export const EXCHANGE_MS = 15_000;
/** Messages sent now at once; each is a connection. Receivers that never answer then end at one of another institution. */
const SENT_NOW = { max: 256, maxPerOwner: 4 };

/** Starts the delivery of events to webhooks. @throws {ConfigError} if other processes use other keys */
export async function startWebhooks(parts: WebhooksParts): Promise<Webhooks> {
  const { pool, clock, seeds, rules, userAgent, log } = parts;
  const keys = signersOf(seeds ?? []);
  const slots = createSlots<IeoId>(SENT_NOW);
  let isStopped = false;
  if (seeds) await agreeOnWebhookKeys(pool, keys);
  else log.warn('events are not sent to webhooks: set WEBHOOK_KEY_FILE');
  const sender = seeds && startSender({ ...parts, keys });

  return {
    keys,
    async sendNow({ ieoId, url }, sent, message) {
      if (!seeds)
        throw refusal('UNAVAILABLE', 'This service does not send events: its operator has set no key for them.');
      const slot = isStopped ? null : slots.take(ieoId);
      if (!slot) throw refusal('UNAVAILABLE', 'Wait for the responses to the messages that you sent before.');
      const receiver = openReceiver(url, rules);
      try {
        const exchange = await sendMessage({ keys, userAgent, clock }, receiver, message, slot.signal);
        const isGivenUp = exchange.problem === 'STOPPED' && !isStopped;
        const outcome: Exchange = isGivenUp ? { ...exchange, problem: 'TIMEOUT' } : exchange;
        const response = responseOf(sent, message, outcome, clock.now());
        await addResponse(pool, ieoId, response);
        return response;
      } finally {
        receiver.close();
        slot.release();
      }
    },
    wake: () => sender?.wake(),
    async stop() {
      isStopped = true;
      slots.endAll();
      await sender?.stop();
    },
  };
}
