import { Ratelimit } from '@upstash/ratelimit';
import { limitNames } from '../../settings/client-address.ts';
import { type BodyQueue, createBodyQueue } from './body-queue.ts';
import { LIMIT_GROUPS, LIMIT_WINDOW_SECONDS, type LimitGroup } from './groups.ts';
import type { LimiterStore, LocalStore, SharedStore } from './limit-store.ts';
import { NAME_SEPARATOR, type WindowCharge } from './window.ts';

/** The subject of a limit: a client address in any textual form, or a signing key in hex. */
export type LimitSubject = { address: string } | { key: string };

/** `resetSeconds`: whole seconds until `remaining` grows and a refused request can succeed; at least 1. */
export type Allowance = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

/** The store is not available. The request is refused with UNAVAILABLE, never let through (protocol §6). */
export class LimiterUnavailable extends Error {
  override readonly name = 'LimiterUnavailable';
}

/** Compares the name, not the class: the pages' bundle has its own copy of this module. */
export const isLimiterUnavailable = (value: unknown): boolean =>
  value instanceof Error && value.name === 'LimiterUnavailable';

export type Limiter = BodyQueue & {
  /** False if the limiter is off and allows everything. */
  counts: boolean;
  /**
   * Counts one request. Refused requests are not counted.
   * @throws {LimiterUnavailable} if the store fails or takes more than a second.
   */
  charge: (group: LimitGroup, subject: LimitSubject) => Promise<Allowance>;
  /** Response headers for an allowance; none if the limiter is off. */
  headers: (allowance: Allowance, group: LimitGroup) => Record<string, string>;
  /** Closes the store; pending charges fail. */
  close: () => Promise<void>;
};

/** Bytes of bodies that one address may have in reading and parsing: the largest accepted body. IPv6: limitNetworks. */
const BODY_BYTES_AT_ONCE = 1024 * 1024;

/**
 * Creates the limiter of the process. With `enabled: false` (RATE_LIMIT=off) it counts nothing and allows everything.
 */
export function createLimiter({
  enabled,
  store,
  onCharge,
}: {
  enabled: boolean;
  store: LimiterStore;
  /** The outcome of each charge, for the metrics. */
  onCharge?: (group: LimitGroup, outcome: 'allowed' | 'refused' | 'unavailable') => void;
}): Limiter {
  if (!enabled) {
    const runQueued: BodyQueue['runQueued'] = (_address, _bytes, work) => work();
    return { counts: false, charge: () => UNLIMITED, headers: () => ({}), runQueued, close: store.close };
  }

  const chargeStore = 'charge' in store ? chargeLocal(store) : chargeShared(store);
  return {
    counts: true,
    async charge(group, subject) {
      try {
        const { allowed, limit, remaining, reset } = await chargeStore(group, subject);
        const resetSeconds = Math.max(1, Math.ceil((reset - store.now()) / 1000));
        onCharge?.(group, allowed ? 'allowed' : 'refused');
        return { allowed, limit, remaining, resetSeconds };
      } catch (cause) {
        onCharge?.(group, 'unavailable');
        throw new LimiterUnavailable('The limiter store does not answer.', { cause });
      }
    },
    headers: rateLimitHeaders,
    runQueued: createBodyQueue(BODY_BYTES_AT_ONCE).runQueued,
    close: store.close,
  };
}

/**
 * The allowance to report for a request counted by address and by key: the refused one, else the one with less left.
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

type ChargeStore = (group: LimitGroup, subject: LimitSubject) => WindowCharge | Promise<WindowCharge>;

const chargeLocal =
  (store: LocalStore): ChargeStore =>
  (group, subject) =>
    store.charge(`${prefixOf(group)}:${nameOf(store, group, subject)}`, LIMIT_GROUPS[group].limit);

function chargeShared(store: SharedStore): ChargeStore {
  const windows = new Map<LimitGroup, Ratelimit>();
  return async (group, subject) => {
    const window = windows.get(group) ?? openWindow(group, store);
    windows.set(group, window);
    const answer = window.limit(nameOf(store, group, subject));
    const { success: allowed, limit, remaining, reset } = await within(store.deadlineMs, answer);
    return { allowed, limit, remaining, reset };
  };
}

/** The library's timeout lets requests pass, and its cache of refused subjects grows without bound: both are off. */
function openWindow(group: LimitGroup, { redis, window }: SharedStore): Ratelimit {
  return new Ratelimit({
    redis,
    limiter: window(LIMIT_GROUPS[group].limit),
    prefix: prefixOf(group),
    timeout: 0,
    ephemeralCache: false,
    enableTelemetry: false,
  });
}

const prefixOf = (group: LimitGroup): string => `perpetua:limit:${group}`;

/** The prefix of the first name is put before it elsewhere: Ratelimit does so. */
function nameOf({ nameOf: stored }: LimiterStore, group: LimitGroup, subject: LimitSubject): string {
  if ('key' in subject) return stored(`k:${subject.key.toLowerCase()}`);
  const names = limitNames(subject.address).map((name) => stored(`a:${name}`));
  return names.join(`${NAME_SEPARATOR}${prefixOf(group)}:`);
}

/** A reply that arrived while this process was busy still counts: setImmediate lets it win over the timeout. */
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
