import type { Pool } from 'pg';
import type { EventCursor } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import type { RecentResponse } from '../../../../protocol/read-responses.ts';
import type { EventPage } from '../read-events.ts';
import { type Claimed, endTurn, giveUpLease, type TurnEnd } from './delivery-rows.ts';
import { isDelivered, responseOf, type SendParts, sendMessage } from './message.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { retryAt } from './retry-plan.ts';
import { upcomingEvents } from './upcoming-events.ts';
import { type Exchange, type ExchangeRules, openReceiver } from './webhook-exchange.ts';

export interface TurnParts extends SendParts {
  readonly pool: Pool;
  readonly rules: ExchangeRules;
  /** Runs an exchange; counts those that are slow. */
  readonly during: (exchange: Promise<Exchange>) => Promise<Exchange>;
  readonly readEvents: (ieoId: IeoId, after: EventCursor) => Promise<EventPage>;
  readonly onAnswered: (exchange: Exchange) => void;
  readonly leaseMs: number;
  /** Then other webhooks that are due have their turn. */
  readonly turnMs: number;
}

/** Between the timeout of an exchange and the end of the lease. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Sends the events of one institution in order until none waits, one is refused, the turn is over or the webhook is
 * changed. @param leaseUntil in ms since 1970
 */
export async function takeTurn(
  parts: TurnParts,
  claimed: Claimed,
  leaseUntil: number,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock, rules, leaseMs } = parts;
  const receiver = openReceiver(claimed.url, rules);
  const recorder = createRecorder({ pool, now: clock.now, leaseMs }, claimed, leaseUntil);
  try {
    const end = await sendInOrder(parts, claimed, { receiver, recorder, signal });
    await recorder.flush();
    if (end) await endTurn(pool, claimed, end, clock.now());
    else await giveUpLease(pool, claimed);
  } finally {
    receiver.close();
  }
}

interface Turn {
  readonly receiver: ReturnType<typeof openReceiver>;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

/** @returns null if this sender must stop at once */
async function sendInOrder(parts: TurnParts, claimed: Claimed, turn: Turn): Promise<TurnEnd | null> {
  const { clock, rules } = parts;
  const { receiver, recorder, signal } = turn;
  let news = claimed.news;
  const read = (after: EventCursor) => {
    news = recorder.news();
    return parts.readEvents(claimed.ieoId, after);
  };
  const over = performance.now() + parts.turnMs;
  const upcoming = upcomingEvents(read, claimed);
  for (let hasDelivered = false; ; ) {
    const next = await upcoming.next();
    if (next.done) return { why: 'empty', news, place: next.value };
    const { event, nextAt, ...progress } = next.value;
    if (clock.now() > recorder.leaseUntil() - rules.timeoutMs - LEASE_MARGIN_MS) await recorder.renew();
    if (recorder.mustStop() || signal.aborted) return null;
    const responses: RecentResponse[] = [];
    if (event !== null) {
      const exchange = await parts.during(sendMessage(parts, receiver, event, signal));
      if (exchange.problem === 'STOPPED') return null;
      parts.onAnswered(exchange);
      const response = responseOf('event', event, exchange, clock.now());
      if (!isDelivered(exchange)) {
        // Before the failure, so that it counts from the last delivered event on.
        await recorder.flush();
        return failure(hasDelivered ? NO_FAILURES : claimed, exchange, response, clock.now());
      }
      responses.push(response);
      hasDelivered = true;
    }
    recorder.record({ ...progress, waitingSince: nextAt, responses });
    // Only now, so that each turn makes progress, however long it searched for an event.
    if (performance.now() > over) return { why: 'more' };
  }
}

type Failures = Pick<Claimed, 'failures' | 'failingSince'>;
const NO_FAILURES: Failures = { failures: 0, failingSince: null };

function failure(before: Failures, { status, retryAfter }: Exchange, response: RecentResponse, now: number): TurnEnd {
  const failures = before.failures + 1;
  const failingSince = before.failingSince === null ? now : Date.parse(before.failingSince);
  if (status === 410) return { why: 'paused', reason: 'GONE', failures, failingSince, response };
  const dueAt = retryAt({ failures, since: failingSince, now, retryAfter });
  if (dueAt === null) return { why: 'paused', reason: 'FAILING', failures, failingSince, response };
  return { why: 'failed', failures, failingSince, dueAt, response };
}
