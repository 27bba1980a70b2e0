import { createHash, createHmac } from 'node:crypto';
import { LIMIT_WINDOW_SECONDS } from './groups.ts';
import type { SlidingWindow } from './store.ts';
import { slidingWindow, type WindowCharge } from './window.ts';

/** A charge that takes longer fails. */
export const DEADLINE_MS = 1_000;
/** The connection is closed only after this, so that a pause of this process alone does not cost the connection. */
export const GIVE_UP_MS = 2_000;

const WINDOW_MS = LIMIT_WINDOW_SECONDS * 1000;

/*
 * One list per subject: the times (ms) of its charges in the window, by the caller's clock, because Upstash asks for
 * deterministic scripts. Processes whose clocks differ see each other's charges leave the window that much off.
 */
const SCRIPT = `
local key, limit, window, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local used = redis.call('LLEN', key)
if used >= limit then return {0, 0, tonumber(oldest) + window - now} end
redis.call('RPUSH', key, string.format('%.0f', now))
redis.call('PEXPIRE', key, window)
return {1, limit - used - 1, tonumber(oldest or now) + window - now}
`;
const SCRIPT_HASH = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * An exact sliding window in a shared store, in one atomic script. Processes that share the store share the allowance.
 */
export function sharedWindow(limit: number, now: () => number): SlidingWindow {
  return slidingWindow(limit, async (redis, name) => {
    const at = now();
    const args = [limit, WINDOW_MS, at];
    const reply = await redis.evalsha(SCRIPT_HASH, [name], args).catch((error: unknown) => {
      if (!String(error).includes('NOSCRIPT')) throw error;
      return redis.eval(SCRIPT, [name], args);
    });
    return readReply(reply, at);
  });
}

function readReply(reply: unknown, at: number): WindowCharge {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isSafeInteger)) {
    throw new Error('the limiter store answered something else than three whole numbers');
  }
  const [allowed, remaining, waitMs] = reply as [number, number, number];
  return { allowed: allowed === 1, remaining, reset: at + waitMs };
}

/** Hashes subjects for a store that others may read: HMAC-SHA256, truncated to 128 bits, base64url. */
export function hashedNames(hashKey = ''): (subject: string) => string {
  return (subject) => createHmac('sha256', hashKey).update(subject).digest().subarray(0, 16).toString('base64url');
}
