import { Redis } from '@upstash/redis';
import { DEADLINE_MS, GIVE_UP_MS, hashedNames, sharedWindow } from './shared-window.ts';
import type { LimiterStore, SharedStoreOptions } from './store.ts';

/** Counters in Upstash Redis, reached over HTTPS with its REST token; shared by all processes that name the same one. */
export function createUpstashStore(
  url: string,
  token: string,
  { hashKey, now = Date.now }: SharedStoreOptions = {},
): LimiterStore {
  const redis = new Redis({
    url,
    token,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(GIVE_UP_MS),
    enableTelemetry: false,
  });

  return {
    redis,
    window: (limit) => sharedWindow(limit, now),
    nameOf: hashedNames(hashKey),
    now,
    deadlineMs: DEADLINE_MS,
    close: async () => {},
  };
}
