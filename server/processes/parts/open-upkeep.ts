import type { ClientBase, Pool, PoolClient } from 'pg';
import { NONCE_RETENTION_MS } from '../../../protocol/time.ts';
import { deleteExpiredLinks, KEPT_MS } from '../../features/guardians/request-rows.ts';
import { COUNTED_MS, deleteOldMailCounts } from '../../features/mail/allowance.ts';
import { deleteEndedRequests } from '../../features/requests/kept-requests.ts';
import { deleteEndedShares } from '../../features/shares/share-rows.ts';
import { readBacklog } from '../../ledger/entries.ts';
import { createExpiry } from '../../platform/db/delete-expired.ts';
import { runAll } from '../../platform/db/statement.ts';
import type { Closing } from '../../platform/process/closing.ts';
import { deleteOldUses } from '../../write/spend-budget.ts';
import type { OpenParts, ServiceParts } from '../service.ts';
import { PAUSE_MS, repeat } from './repeat.ts';

type Given = Pick<OpenParts, 'pools' | 'sources' | 'writes' | 'clock' | 'changes'>;

/**
 * What is done each second: records and checks the head, counts the backlog, follows the clock, deletes what has expired. It wakes
 * the loops that wait for changes.
 */
export function openUpkeep({ log }: ServiceParts, given: Given, closing: Closing): void {
  const { pools, sources, writes, clock, changes } = given;
  const { fence } = sources;
  let [lastSeq, lastFinalSeq] = [0, 0];
  const deleteExpired = createExpiry({ linksMs: KEPT_MS, mailCountsMs: COUNTED_MS }, [
    deleteNoncesAndNames,
    deleteExpiredLinks,
    deleteOldMailCounts,
    deleteEndedRequests,
    deleteOldUses,
    deleteEndedShares,
    async () => writes.settling.wake(),
    async () => changes.notify(),
  ]);
  const upkeep = repeat(
    (error) => log.warn({ err: error }, 'maintenance failed and is retried'),
    async () => {
      await fence.record();
      await onConnection(pools.pool, async (client) => {
        const [{ entries, finalSeq }] = await Promise.all([
          readBacklog(client, clock),
          fence.check(client),
          deleteExpired(client, clock.now()),
        ]);
        writes.backlog.entries = entries;
        // Another process may have written.
        if (fence.latestSeq() !== lastSeq || finalSeq !== lastFinalSeq) changes.notify();
        [lastSeq, lastFinalSeq] = [fence.latestSeq(), finalSeq];
      });
      return PAUSE_MS;
    },
  );
  closing.add('the upkeep', upkeep.stop);
}

/** One connection, on which queries that do not wait for each other take one round trip. */
async function onConnection(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await work(client);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Deletes nonces too old for any request to reuse, and names that were released, of which a digest stays. */
function deleteNoncesAndNames(client: ClientBase, now: number): Promise<unknown> {
  const cutoff = new Date(now - NONCE_RETENTION_MS);
  return runAll(client, [
    { name: 'delete-nonces', text: 'DELETE FROM nonces WHERE seen_at < $1', values: [cutoff] },
    {
      name: 'delete-names',
      text: 'DELETE FROM names WHERE holder_id IS NULL AND available_at < $1',
      values: [cutoff],
    },
  ]);
}
