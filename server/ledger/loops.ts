import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLoss } from '../db/pool.ts';
import { GatewayError } from '../network/arweave-client.ts';
import { errorType, type SpanAttributes, type Tracing } from '../tracing.ts';
import { confirmAll, type Losses, type Pending } from './confirm.ts';
import type { Fence } from './fence.ts';
import { createLeadership } from './leader.ts';
import { PostingBlocked, type RelayParts, relayNext } from './relay.ts';

export interface Loops {
  /**
   * Whether this process relays, the reason why posting is blocked, or null, and when each loop last finished a step, in
   * milliseconds since 1970.
   */
  state(): {
    readonly leading: boolean;
    readonly problem: string | null;
    readonly lastSteps: Readonly<Record<string, number | null>>;
  };
  /** Finishes the current steps and releases the lock of the leader. */
  stop(): Promise<void>;
}

const LEAD_PAUSE_MS = 1_000;
const RELAY_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/**
 * The loops of this process. Relay and confirm work only while it leads, and on a database that lost no operations. A
 * leader on one that did stays the leader, so that no other process posts its entries.
 */
export function startLoops(
  parts: RelayParts & {
    readonly confirmPauseMs: number;
    readonly fence: Pick<Fence, 'check'>;
    /** Resolves once the sources outside were asked whether the database lost operations. */
    readonly settled?: () => Promise<void>;
    readonly tracing?: Tracing;
  },
  onProblem: (loop: string, error: unknown) => void,
): Loops {
  const leadership = createLeadership(parts.pool);
  const stopping = new AbortController();
  const problems = new Map<string, string>();
  const lastSteps = new Map<string, number | null>();
  const losses: Losses = new Map();
  const pending: Pending = new Map();
  let leading = false;
  /** The result of the last check; while one is in progress, nothing is posted. */
  let wasLeading = false;

  /** `step` returns whether there is more work. After errors the loop pauses longer and continues. */
  async function run(name: string, pauseMs: number, step: () => Promise<boolean>): Promise<void> {
    let pause = pauseMs;
    lastSteps.set(name, null);
    while (!stopping.signal.aborted) {
      let more = false;
      try {
        more = await step();
        problems.delete(name);
        lastSteps.set(name, Date.now());
        pause = pauseMs;
      } catch (error) {
        if (problems.get(name) !== messageOf(error)) onProblem(name, error);
        problems.set(name, messageOf(error));
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
      }
      if (!more) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** A span for each step that had work or failed. */
  async function traced(
    name: string,
    counted: 'perpetua.relay.operations' | 'perpetua.confirm.bundles',
    step: () => Promise<number>,
  ): Promise<number> {
    const from = performance.now();
    const record = (attributes: SpanAttributes) =>
      parts.tracing?.record(name, { from, to: performance.now() }, attributes);
    try {
      const count = await step();
      if (count > 0) record({ [counted]: count });
      return count;
    } catch (error) {
      record({ 'error.type': errorType(error) });
      throw error;
    }
  }

  async function mayPost(): Promise<boolean> {
    if (!leading) return false;
    await parts.settled?.();
    return (await parts.fence.check(parts.pool)) === null;
  }

  const loops = [
    run('lead', LEAD_PAUSE_MS, async () => {
      leading = false;
      leading = await leadership.held().finally(() => {
        wasLeading = false;
      });
      wasLeading = leading;
      return false;
    }),
    run('relay', RELAY_PAUSE_MS, async () => {
      if (!(await mayPost())) return false;
      return (await traced('relay', 'perpetua.relay.operations', () => relayNext(parts))) > 0;
    }),
    run('confirm', parts.confirmPauseMs, async () => {
      if (await mayPost()) {
        await traced('confirm', 'perpetua.confirm.bundles', () => confirmAll(parts, losses, pending));
      }
      return false;
    }),
  ];

  return {
    state: () => ({
      leading: wasLeading,
      problem: [...problems.values()][0] ?? null,
      lastSteps: Object.fromEntries(lastSteps),
    }),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await leadership.release();
    },
  };
}

function messageOf(error: unknown): string {
  if (isConnectionLoss(error)) return 'The database is not reachable.';
  if (error instanceof PostingBlocked || error instanceof GatewayError) return error.message;
  return 'The relay failed unexpectedly; see the log.';
}
