import type { ParentProcess } from '../../platform/process/parent-process.ts';
import type { LimiterStore, SharedStoreOptions } from './limit-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { createParentStore } from './parent-store.ts';
import { createRedisStore } from './redis-store.ts';
import { createUpstashStore } from './upstash-store.ts';

type StoreConfig = {
  REDIS_URL?: string | undefined;
  UPSTASH_REDIS_REST_URL?: string | undefined;
  UPSTASH_REDIS_REST_TOKEN?: string | undefined;
};

/**
 * Redis if REDIS_URL or the Upstash pair is set, else memory: that of `parent`, which several processes share, or of this
 * process.
 */
export function createLimiterStore(
  config: StoreConfig,
  options: SharedStoreOptions & { parent?: Pick<ParentProcess, 'charge'> | undefined } = {},
): LimiterStore {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = config;
  if (REDIS_URL) return createRedisStore(REDIS_URL, options);
  if (UPSTASH_REDIS_REST_URL && UPSTASH_REDIS_REST_TOKEN) {
    return createUpstashStore(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, options);
  }
  return options.parent ? createParentStore(options.parent) : createMemoryStore();
}
