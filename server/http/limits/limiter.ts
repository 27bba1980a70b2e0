import { Ratelimit } from '@upstash/ratelimit';
import { limitSubject } from '../../client-address.ts';
import { type BodyQueue, createBodyQueue } from './body-queue.ts';
import { LIMIT_GROUPS, LIMIT_WINDOW_SECONDS, type LimitGroup } from './groups.ts';
import type { LimiterStore } from './store.ts';

/** Who is charged: a client address in any textual form, or a signing key in hex. */
export type LimitSubject = { address: string } | { key: string };

/** `resetSeconds`: whole seconds until `remaining` next grows, which is when a refused request can succeed; at least 1. */
export type Allowance = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

/** The store did not answer: what asked for an allowance is then answered UNAVAILABLE, never let through (protocol §6). */
export class LimiterUnavailable extends Error {
  override readonly name = 'LimiterUnavailable';
}

/** By name, not by class: the pages' bundle has a copy of this module. */
export const isLimiterUnavailable = (value: unknown): boolean =>
  value instanceof Error && value.name === 'LimiterUnavailable';

export type Limiter = BodyQueue & {
  /** False while the limiter is off: it allows everything. */
  counts: boolean;
  /**
   * Counts one request. A refused one is not counted.
   * @throws {LimiterUnavailable} when the store fails or takes more than a second.
   */
  charge: (group: LimitGroup, subject: LimitSubject) => Promise<Allowance>;
  /** Response headers for what `charge` answered; none while the limiter is off. */
  headers: (allowance: Allowance, group: LimitGroup) => Record<string, string>;
  /** Lets go of the store; charges under way fail. */
  close: () => Promise<void>;
};

/** Bodies of one address in reading and parsing at once: as much as the largest body that is taken. */
const BODY_BYTES_AT_ONCE = 1024 * 1024;

/** The limiter of the process. With `enabled: false` (RATE_LIMIT=off) it counts nothing and allows everything. */
export function createLimiter({ enabled, store }: { enabled: boolean; store: LimiterStore }): Limiter {
  if (!enabled) {
    const runQueued: BodyQueue['runQueued'] = (_address, _bytes, work) => work();
    return { counts: false, charge: () => UNLIMITED, headers: () => ({}), runQueued, close: store.close };
  }

  const windows = new Map<LimitGroup, Ratelimit>();
  function windowOf(group: LimitGroup): Ratelimit {
    const opened = windows.get(group) ?? openWindow(group, store);
    windows.set(group, opened);
    return opened;
  }

  return {
    counts: true,
    async charge(group, subject) {
      try {
        const answer = windowOf(group).limit(store.nameOf(nameOf(subject)));
        const { success, limit, remaining, reset } = await (store.deadlineMs
          ? within(store.deadlineMs, answer)
          : answer);
        const resetSeconds = Math.max(1, Math.ceil((reset - store.now()) / 1000));
        return { allowed: success, limit, remaining, resetSeconds };
      } catch (cause) {
        throw new LimiterUnavailable('The limiter store does not answer.', { cause });
      }
    },
    headers: rateLimitHeaders,
    runQueued: createBodyQueue(BODY_BYTES_AT_ONCE).runQueued,
    close: store.close,
  };
}

/**
 * Of the allowances of one request, counted by address and by key, the one its response must tell: the refused one,
 * else the one with less left.
 */
export function stricter(one: Allowance, other: Allowance): Allowance {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  return one.remaining <= other.remaining ? one : other;
}

/**
 * RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-11 (structured fields, seconds), and Retry-After
 * (RFC 9110 §10.2.3) on a refusal. `t` ends when the first counted request leaves the window.
 */
function rateLimitHeaders({ allowed, limit, remaining, resetSeconds }: Allowance, group: LimitGroup) {
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${group}";q=${limit};w=${LIMIT_WINDOW_SECONDS}`,
    RateLimit: `"${group}";r=${remaining};t=${resetSeconds}`,
  };
  if (!allowed) headers['Retry-After'] = String(resetSeconds);
  return headers;
}

/** The library's own deadline lets requests pass, and its cache of refused subjects grows without bound: both are off. */
function openWindow(group: LimitGroup, { redis, window }: LimiterStore): Ratelimit {
  return new Ratelimit({
    redis,
    limiter: window(LIMIT_GROUPS[group].limit),
    prefix: `perpetua:limit:${group}`,
    timeout: 0,
    ephemeralCache: false,
    enableTelemetry: false,
  });
}

function nameOf(subject: LimitSubject): string {
  return 'address' in subject ? `a:${limitSubject(subject.address)}` : `k:${subject.key.toLowerCase()}`;
}

/** An answer that has arrived while this process was busy still counts: it is looked for once more before giving up. */
async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      setImmediate(() => reject(new Error(`no answer within ${milliseconds} ms`)));
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const NO_LIMIT: Allowance = { allowed: true, limit: Infinity, remaining: Infinity, resetSeconds: 0 };
const UNLIMITED = Promise.resolve(NO_LIMIT);
