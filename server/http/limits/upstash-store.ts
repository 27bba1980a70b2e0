import { Redis } from '@upstash/redis';
import type { SharedStore, SharedStoreOptions } from './limit-store.ts';
import { DEADLINE_MS, giveUpAfter, hashedNames, sharedWindow } from './shared-window.ts';

/** Counters in Upstash Redis over HTTPS, shared by all processes that use it. */
export function createUpstashStore(
  url: string,
  token: string,
  { hashKey, now = Date.now, deadlineMs = DEADLINE_MS }: SharedStoreOptions = {},
): SharedStore {
  const redis = new Redis({
    url,
    token,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(giveUpAfter(deadlineMs)),
    enableTelemetry: false,
  });

  return {
    redis,
    window: (limit) => sharedWindow(limit, now),
    nameOf: hashedNames(hashKey),
    now,
    deadlineMs,
    close: async () => {},
  };
}
