import { createMemoryStore } from './memory-store.ts';
import { createRedisStore } from './redis-store.ts';
import type { LimiterStore, SharedStoreOptions } from './store.ts';
import { createUpstashStore } from './upstash-store.ts';

type StoreConfig = {
  REDIS_URL?: string | undefined;
  UPSTASH_REDIS_REST_URL?: string | undefined;
  UPSTASH_REDIS_REST_TOKEN?: string | undefined;
};

/** Memory, unless REDIS_URL or the Upstash pair is set. Several processes need one of those to share their counters. */
export function createLimiterStore(config: StoreConfig, options: SharedStoreOptions = {}): LimiterStore {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = config;
  if (REDIS_URL) return createRedisStore(REDIS_URL, options);
  if (UPSTASH_REDIS_REST_URL && UPSTASH_REDIS_REST_TOKEN) {
    return createUpstashStore(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, options);
  }
  return createMemoryStore();
}
