import type { Redis as UpstashRedis } from '@upstash/redis';
import { Redis } from 'ioredis';
import { DEADLINE_MS, GIVE_UP_MS, hashedNames, sharedWindow } from './shared-window.ts';
import type { LimiterStore, SharedStoreOptions } from './store.ts';

const LONGEST_PAUSE_MS = 2_000;

/**
 * Counters in a Redis or Valkey server (REDIS_URL, redis:// or rediss://), shared by all processes that name the same one.
 * While the connection is lost every charge fails at once; it is taken up again by itself, within two seconds of the
 * server's return. A charge of a server that hangs fails after a second, and the connection is given up.
 */
export function createRedisStore(
  url: string,
  { hashKey, onError, now = Date.now }: SharedStoreOptions = {},
): LimiterStore {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    socketTimeout: GIVE_UP_MS,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
  });
  client.on('error', (error: Error) => onError?.(error));

  let connecting: Promise<unknown> | null = new Promise((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
  }).then(() => {
    connecting = null;
  });

  async function run(command: 'eval' | 'evalsha', script: string, keys: string[], args: unknown[]) {
    if (connecting) await connecting;
    return client.call(command, script, keys.length, ...keys, ...args.map(String));
  }

  return {
    // Ratelimit's types ask for the whole Upstash client; the window calls these two of it.
    redis: {
      evalsha: (hash: string, keys: string[], args: unknown[]) => run('evalsha', hash, keys, args),
      eval: (script: string, keys: string[], args: unknown[]) => run('eval', script, keys, args),
    } as UpstashRedis,
    window: (limit) => sharedWindow(limit, now),
    nameOf: hashedNames(hashKey),
    now,
    deadlineMs: DEADLINE_MS,
    close: async () => client.disconnect(),
  };
}
