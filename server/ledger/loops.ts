import { GatewayError } from '../network/arweave-client.ts';
import { isConnectionLoss } from '../platform/db/pool.ts';
import { errorType, type SpanAttributes, type Tracing } from '../platform/observe/tracing.ts';
import type { Notifier } from '../platform/process/notifier.ts';
import { confirmAll, type Losses, type Pending, type Unread } from './confirm.ts';
import type { Fence } from './fence.ts';
import { createLeadership } from './leader.ts';
import { createQuotes, nextBundleIn, PostingBlocked, type RelayParts, relayNext } from './relay.ts';

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
/** A loop without work waits for a change, at most this time. */
const IDLE_MS = 30_000;

/**
 * The loops of this process. Relay and confirm work only while it leads, and on a database that lost no operations. A
 * leader on one that did stays the leader, so that no other process posts its entries. A change of the ledger wakes them.
 */
export function startLoops(
  parts: RelayParts & {
    readonly confirmPauseMs: number;
    readonly fence: Pick<Fence, 'check'>;
    /** Notified of each change of the ledger that this process makes or detects, and here of a change of the leader. */
    readonly changes: Notifier;
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
  const unread: Unread = new Map();
  const quotes = createQuotes();
  const posting: Set<number> = new Set();
  /** The last check; nothing is posted before its result. */
  let leading: Promise<boolean> = Promise.resolve(false);
  /** The result of the last check that has one. */
  let wasLeading = false;

  /**
   * `step` returns the time in ms until there is work again, if nothing changes: 0 if there is at once. Between two steps without
   * work are at least `pauseMs`. After errors the loop pauses longer and continues.
   */
  async function run(name: string, pauseMs: number, step: () => Promise<number>): Promise<void> {
    let pause = pauseMs;
    lastSteps.set(name, null);
    while (!stopping.signal.aborted) {
      const before = parts.changes.count();
      let next: number;
      try {
        next = await step();
        problems.delete(name);
        lastSteps.set(name, Date.now());
        pause = pauseMs;
      } catch (error) {
        if (problems.get(name) !== messageOf(error)) onProblem(name, error);
        problems.set(name, messageOf(error));
        pause = Math.max(pauseMs, Math.min(pause * 2, MAX_PAUSE_MS));
        next = pause;
      }
      if (next > 0) await parts.changes.pause(before, pause, next, stopping.signal);
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

  /** When a step may post, the result of `step`; otherwise the time until it may be different. */
  async function whileLeading(step: () => Promise<number>): Promise<number> {
    if (!(await leading)) return IDLE_MS;
    await parts.settled?.();
    return (await parts.fence.check(parts.pool)) === null ? step() : LEAD_PAUSE_MS;
  }

  const loops = [
    run('lead', LEAD_PAUSE_MS, async () => {
      const held = leadership.held();
      leading = held.catch(() => false);
      const leads = await leading;
      const isChange = leads !== wasLeading;
      wasLeading = leads;
      if (isChange) parts.changes.notify();
      // Reports why the check failed.
      await held;
      return LEAD_PAUSE_MS;
    }),
    run('relay', RELAY_PAUSE_MS, () =>
      whileLeading(async () => {
        const posted = await traced('relay', 'perpetua.relay.operations', () =>
          relayNext({ ...parts, quotes, posting }),
        );
        if (posted === 0) return (await nextBundleIn(parts)) ?? IDLE_MS;
        // There is a bundle to confirm.
        parts.changes.notify();
        return 0;
      }),
    ),
    run('confirm', parts.confirmPauseMs, () =>
      whileLeading(async () => {
        const unfinished = await traced('confirm', 'perpetua.confirm.bundles', () =>
          confirmAll({ ...parts, posting }, losses, pending, unread),
        );
        return unfinished > 0 ? parts.confirmPauseMs : IDLE_MS;
      }),
    ),
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
