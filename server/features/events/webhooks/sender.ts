import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { EventCursor } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import { isConnectionLoss } from '../../../platform/db/pool.ts';
import { createNotifier, type Notifier } from '../../../platform/process/notifier.ts';
import { type EventParts, readEvents } from '../read-events.ts';
import { type Claimed, claimDue, findDue } from './delivery-rows.ts';
import { createNewsSearch } from './find-news.ts';
import { isDelivered } from './message.ts';
import { type TurnParts, takeTurn } from './take-turn.ts';
import type { Exchange } from './webhook-exchange.ts';

export interface SenderParts extends Pick<TurnParts, 'pool' | 'keys' | 'userAgent' | 'clock' | 'rules'> {
  readonly ledgerId: EventParts['ledgerId'];
  readonly vault: EventParts['vault'];
  readonly log: Logger;
  readonly onAnswered: (outcome: 'delivered' | 'failed') => void;
  /** Notified of each change of the ledger that this process makes or detects. */
  readonly changes?: Notifier;
  /** After which other webhooks that are due have their turn, in ms. */
  readonly turnMs?: number;
}

export interface Sender {
  /** Searches for due webhooks. */
  wake(): void;
  /** Cancels requests in flight; they are sent again by the next sender. */
  stop(): Promise<void>;
}

/** Between two searches for webhooks that are due while any waits, and after a step that failed. */
const PAUSE_MS = 1_000;
/** Between two searches for news, or for webhooks that are due, while nothing happens and none waits. */
const IDLE_MS = 5_000;
/** Between two searches for news while entries are accepted. */
const SEARCH_MS = 500;
const MAX_PAUSE_MS = 5_000;
const TURN_MS = 5_000;
/** Events of one page. */
const PAGE = 250;
/** A sender that is killed delays its institutions by this time at most; longer than the timeout of an exchange. */
const LEASE_MS = 30_000;
/** An exchange that takes longer is slow, and another one may begin in its place. */
const SLOW_MS = 1_000;
/** Exchanges at once that are not slow. */
const MAX_QUICK = 32;
/** Exchanges at once. */
const MAX_EXCHANGES = 256;
/** Exchanges at once with receivers whose last request failed. */
const MAX_FAILING = 128;

/** Delivers events to webhooks; any number of processes may do so. One sends to an institution at a time. */
export function startSender(parts: SenderParts): Sender {
  const { pool, clock, log, onAnswered } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every request in flight listens.
  setMaxListeners(0, signal);
  const turns = new Map<IeoId, Promise<void>>();
  let quick = 0;
  let failing = 0;
  /** Notified when webhooks may be due, or others have their turn. */
  const work = createNotifier();
  let problem: string | null = null;

  const eventParts: EventParts = { listPool: pool, clock, ledgerId: parts.ledgerId, vault: parts.vault };
  const turnParts: TurnParts = {
    ...parts,
    during,
    readEvents: (ieoId: IeoId, after: EventCursor) => readEvents(eventParts, ieoId, after, PAGE),
    onAnswered: (exchange) => onAnswered(isDelivered(exchange) ? 'delivered' : 'failed'),
    leaseMs: LEASE_MS,
    turnMs: parts.turnMs ?? TURN_MS,
  };

  /** A turn counts as quick except while one of its exchanges is slow. */
  async function during(exchange: Promise<Exchange>): Promise<Exchange> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      quick -= 1;
      work.notify();
    }, SLOW_MS);
    try {
      return await exchange;
    } finally {
      clearTimeout(timer);
      if (isSlow) quick += 1;
    }
  }

  function begin(claimed: Claimed, leaseUntil: number): void {
    const isFailing = claimed.failures > 0;
    quick += 1;
    if (isFailing) failing += 1;
    const turn = takeTurn(turnParts, claimed, leaseUntil, signal)
      .catch(report)
      .finally(() => {
        quick -= 1;
        if (isFailing) failing -= 1;
        turns.delete(claimed.ieoId);
        work.notify();
      });
    turns.set(claimed.ieoId, turn);
  }

  async function claim(isFailing: boolean): Promise<void> {
    const free = Math.min(MAX_QUICK - quick, MAX_EXCHANGES - turns.size, isFailing ? MAX_FAILING - failing : MAX_QUICK);
    if (free <= 0) return;
    const now = clock.now();
    const own = [...turns.keys()];
    const claimed = await claimDue(pool, { now, leaseMs: LEASE_MS, failing: isFailing, limit: free, own });
    for (const one of claimed) begin(one, now + LEASE_MS);
  }

  function report(error: unknown): void {
    const sentence = isConnectionLoss(error) ? 'the database is not reachable' : 'it failed unexpectedly';
    if (problem !== sentence) log.warn({ err: error }, `webhooks wait and are retried: ${sentence}`);
    problem = sentence;
  }

  /** Repeats a step when it is woken and after the ms that it returns, and more slowly while it fails. */
  async function repeat(step: () => Promise<number>, woken: Notifier, minMs: number): Promise<void> {
    for (let ms = PAUSE_MS; !signal.aborted; ) {
      const before = woken.count();
      let next: number;
      try {
        next = await step();
        if (ms > PAUSE_MS) problem = null;
        ms = PAUSE_MS;
      } catch (error) {
        report(error);
        ms = Math.min(ms * 2, MAX_PAUSE_MS);
        next = ms;
      }
      await woken.pause(before, minMs, next, signal);
    }
  }

  const findNews = createNewsSearch(pool);

  async function search(): Promise<number> {
    const found = await findNews(clock.now());
    // Another process may have found what is due.
    work.notify();
    return found ? SEARCH_MS : IDLE_MS;
  }

  async function claimAll(): Promise<number> {
    const { isAny, isWaiting } = await findDue(pool, clock.now(), [...turns.keys()]);
    if (isAny) {
      await claim(false);
      await claim(true);
    }
    return isWaiting ? PAUSE_MS : IDLE_MS;
  }

  const running = Promise.all([
    repeat(search, parts.changes ?? createNotifier(), SEARCH_MS),
    repeat(claimAll, work, 0),
  ]);
  return {
    wake: work.notify,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(turns.values());
    },
  };
}
