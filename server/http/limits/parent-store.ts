import type { RatelimitConfig } from '@upstash/ratelimit';
import type { ParentProcess } from '../../platform/process/parent-process.ts';
import type { SharedStore } from './limit-store.ts';
import { DEADLINE_MS } from './shared-window.ts';
import { slidingWindow } from './window.ts';

/** Counters in the parent of several serving processes. */
export function createParentStore({ charge }: Pick<ParentProcess, 'charge'>): SharedStore {
  const now = () => performance.timeOrigin + performance.now();
  return {
    redis: NO_REDIS,
    window: (limit) =>
      slidingWindow(async (_connection, name) => {
        const { waitMs, ...charged } = await charge([name, limit]);
        return { ...charged, reset: now() + waitMs };
      }),
    nameOf: (subject) => subject,
    now,
    deadlineMs: DEADLINE_MS,
    close: async () => undefined,
  };
}

const absent = () => Promise.reject(new Error('the parent process is no Redis'));
const NO_REDIS: RatelimitConfig['redis'] = { evalsha: absent, get: absent, set: absent };
