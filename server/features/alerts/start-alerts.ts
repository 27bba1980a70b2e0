import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../platform/db/clock.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Notifier } from '../../platform/process/notifier.ts';
import type { Vault } from '../vault/vault.ts';
import { deletePastAddresses } from './alert-rows.ts';
import { findAlerts } from './find-alerts.ts';
import { type OpenUse, watchConsents } from './watch-consents.ts';

export interface AlertSearchParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly clock: Pick<Clock, 'now'>;
  /** Of a batch that was committed. */
  readonly changes: Notifier;
  readonly openUse: OpenUse;
  readonly onProblem: (error: unknown) => void;
}

export interface AlertSearch {
  stop(): Promise<void>;
}

const MIN_PAUSE_MS = 1_000;
/** Requests for a recovery that another process stored wait at most this long. */
const MAX_PAUSE_MS = 5_000;
/** Between two looks at the consents of all holders who are due, and at past addresses. */
const WATCH_MS = 30_000;

/** Searches for what holders are to be alerted to, and queues it for the outbox. Runs in every process that has an outbox. */
export function startAlerts(parts: AlertSearchParts): AlertSearch {
  const { pool, clock, changes, onProblem } = parts;
  const stopping = new AbortController();
  let watchedAt = Number.NEGATIVE_INFINITY;

  const step = async (work: (client: ClientBase) => Promise<boolean>): Promise<void> => {
    let more = true;
    while (more && !stopping.signal.aborted) {
      await inTransaction(pool, async (client) => {
        more = await work(client);
      });
    }
  };
  /** A part that fails does not stop those after it. */
  async function search(): Promise<void> {
    const now = clock.now();
    await step((client) => findAlerts(client, now)).catch(onProblem);
    if (Math.abs(now - watchedAt) < WATCH_MS) return;
    watchedAt = now;
    await inTransaction(pool, (client) => deletePastAddresses(client, now)).catch(onProblem);
    await watchConsents(parts, now, stopping.signal).catch(onProblem);
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const count = changes.count();
      await search();
      await changes.pause(count, MIN_PAUSE_MS, MAX_PAUSE_MS, stopping.signal);
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
