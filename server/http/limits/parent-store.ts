import type { RatelimitConfig } from '@upstash/ratelimit';
import type { ChargeReply, ChargeRequest, ParentProcess } from '../../parent-process.ts';
import { DEADLINE_MS } from './shared-window.ts';
import type { LimiterStore } from './store.ts';
import { slidingWindow } from './window.ts';

interface Waiting {
  readonly charge: ChargeRequest;
  readonly resolve: (reply: ChargeReply) => void;
  readonly reject: (error: unknown) => void;
}

/** Counters in the parent of several serving processes. The charges of one turn of the event loop share a message. */
export function createParentStore({ charge }: Pick<ParentProcess, 'charge'>): LimiterStore {
  let waiting: Waiting[] = [];
  const now = () => performance.timeOrigin + performance.now();

  async function flush(): Promise<void> {
    const sent = waiting;
    waiting = [];
    try {
      const replies = await charge(sent.map((one) => one.charge));
      for (const [index, { resolve, reject }] of sent.entries()) {
        const reply = replies[index];
        if (reply) resolve(reply);
        else reject(new Error('the parent process answered fewer charges than it was sent'));
      }
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }

  return {
    redis: NO_REDIS,
    window: (limit) =>
      slidingWindow(limit, async (_connection, name) => {
        const { allowed, remaining, waitMs } = await new Promise<ChargeReply>((resolve, reject) => {
          if (waiting.length === 0) setImmediate(() => void flush());
          waiting.push({ charge: [name, limit], resolve, reject });
        });
        return { allowed, remaining, reset: now() + waitMs };
      }),
    nameOf: (subject) => subject,
    now,
    deadlineMs: DEADLINE_MS,
    close: async () => undefined,
  };
}

const absent = () => Promise.reject(new Error('the parent process is no Redis'));
const NO_REDIS: RatelimitConfig['redis'] = { evalsha: absent, get: absent, set: absent };
