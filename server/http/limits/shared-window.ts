import { createHash, createHmac } from 'node:crypto';
import { NETWORK_FACTORS } from '../../settings/client-address.ts';
import { LIMIT_WINDOW_SECONDS } from './groups.ts';
import type { SlidingWindow } from './limit-store.ts';
import { NAME_SEPARATOR, slidingWindow, type WindowCharge } from './window.ts';

/** A charge that takes longer fails. */
export const DEADLINE_MS = 1_000;
/** The connection is closed only after this, so that a pause of this process alone does not cost the connection. */
export const giveUpAfter = (deadlineMs: number): number => 2 * deadlineMs;

const WINDOW_MS = LIMIT_WINDOW_SECONDS * 1000;

/*
 * One list per window: the times (ms) of its charges, by the caller's clock, because Upstash asks for deterministic scripts.
 * Processes whose clocks differ see each other's charges leave the window that much off. ARGV: the length of the window, the
 * time, and the limit of each key. Returns whether it was allowed, and of the tightest window: limit, charges left, ms to wait.
 */
const SCRIPT = `
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
local refused, tightest
for index, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[index + 2])
  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) <= now - window do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end
  local left = limit - redis.call('LLEN', key) - 1
  local wait = tonumber(oldest or now) + window - now
  if left < 0 then
    if not refused or wait > refused[4] then refused = {0, limit, 0, wait} end
  elseif not tightest or left < tightest[3] then
    tightest = {1, limit, left, wait}
  end
end
if refused then return refused end
for _, key in ipairs(KEYS) do
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, window)
end
return tightest
`;
const SCRIPT_HASH = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * An exact sliding window in a shared store, in one atomic script. Processes that share the store share the allowance.
 */
export function sharedWindow(limit: number, now: () => number): SlidingWindow {
  return slidingWindow(async (redis, name) => {
    const at = now();
    const names = name.split(NAME_SEPARATOR);
    const args = [WINDOW_MS, at, ...names.map((_, index) => limit * (NETWORK_FACTORS[index] ?? 1))];
    const reply = await redis.evalsha(SCRIPT_HASH, names, args).catch((error: unknown) => {
      if (!String(error).includes('NOSCRIPT')) throw error;
      return redis.eval(SCRIPT, names, args);
    });
    return readReply(reply, at);
  });
}

function readReply(reply: unknown, at: number): WindowCharge {
  if (!Array.isArray(reply) || reply.length !== 4 || !reply.every(Number.isSafeInteger)) {
    throw new Error('the limiter store answered something else than four whole numbers');
  }
  const [allowed, limit, remaining, waitMs] = reply as [number, number, number, number];
  return { allowed: allowed === 1, limit, remaining, reset: at + waitMs };
}

/** Hashes subjects for a store that others may read: HMAC-SHA256, truncated to 128 bits, base64url. */
export function hashedNames(hashKey = ''): (subject: string) => string {
  return (subject) => createHmac('sha256', hashKey).update(subject).digest().subarray(0, 16).toString('base64url');
}
