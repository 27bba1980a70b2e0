import type { Redis as UpstashRedis } from '@upstash/redis';
import { Redis } from 'ioredis';
import type { SharedStore, SharedStoreOptions } from './limit-store.ts';
import { DEADLINE_MS, giveUpAfter, hashedNames, sharedWindow } from './shared-window.ts';

const LONGEST_PAUSE_MS = 2_000;

/**
 * Counters in a Redis or Valkey server (REDIS_URL), shared by all processes that use it. While the connection is down
 * every charge fails at once; it reconnects within two seconds of the server's return. If the server hangs, a charge
 * fails after a second and the connection is closed.
 */
export function createRedisStore(
  url: string,
  { hashKey, onError, now = Date.now, deadlineMs = DEADLINE_MS }: SharedStoreOptions = {},
): SharedStore {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    socketTimeout: giveUpAfter(deadlineMs),
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
    // Ratelimit's types require the whole Upstash client; the window calls only these two functions.
    redis: {
      evalsha: (hash: string, keys: string[], args: unknown[]) => run('evalsha', hash, keys, args),
      eval: (script: string, keys: string[], args: unknown[]) => run('eval', script, keys, args),
    } as UpstashRedis,
    window: (limit) => sharedWindow(limit, now),
    nameOf: hashedNames(hashKey),
    now,
    deadlineMs,
    close: async () => client.disconnect(),
  };
}
