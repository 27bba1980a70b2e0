import type { Pool } from 'pg';
import { readDeliveries } from '../features/events/webhooks/delivery-rows.ts';
import { readMailQueue } from '../features/mail/due-mail.ts';
import { readSharedBytes } from '../features/shares/share-rows.ts';
import { readLargestStored, readStoredBytes, readYoungBytes } from '../features/vault/stored-bytes.ts';
import { estimateRows } from '../features/vault/vault-rows.ts';
import type { BackupReport, Context } from '../http/context.ts';
import { lateAfterSeconds } from '../http/rest/readiness.ts';
import { sharedReadiness } from '../http/rest/shared-readiness.ts';
import { readLackingData } from '../ledger/bundle-rows.ts';
import { readBacklog } from '../ledger/entries.ts';
import { readPause } from '../ledger/pause.ts';
import { daysLeft, pricePerOperation, readSpending, SPENDING_DAYS } from '../ledger/spending.ts';
import { readArchiving } from '../platform/db/archiving.ts';
import type { Standby } from '../platform/db/standbys.ts';
import { addGauges, type GaugeSource, plainGauges } from './scraped-metrics.ts';

/** Every gauge that is read when the metrics are. Each is described in docs/operations.md, "Metrics". */
export function registerGauges(context: Context): void {
  const { registry, shared } = context.metrics;
  for (const source of sharedSources(context)) addGauges(shared, source);
  for (const source of processSources(context)) addGauges(registry, source);
}

/** What is the same in every process of one database. */
function sharedSources(context: Context): GaugeSource[] {
  const { pool, config } = context;
  const deliveries = () => readDeliveries(pool, context.now(), context.webhooks.keys.length > 0);
  return [
    plainGauges(
      {
        backlog_entries: 'Accepted operations that the network does not have yet',
        backlog_oldest_seconds: 'Age of the oldest accepted operation that the network does not have yet',
        backlog_oldest_seconds_limit: 'The age of the oldest operation above which posting is late',
      },
      async () => {
        const { entries, oldestSeconds } = await readBacklog(pool);
        return {
          backlog_entries: entries,
          backlog_oldest_seconds: oldestSeconds ?? 0,
          backlog_oldest_seconds_limit: lateAfterSeconds(config),
        };
      },
    ),
    plainGauges(
      {
        bundles_lacking_data: 'Mined bundles whose bytes the network does not return, so that they are not final',
        bundles_lacking_data_seconds: 'How long the first of them has been lacking its data',
      },
      async () => {
        const { bundles, seconds } = await readLackingData(pool);
        return { bundles_lacking_data: bundles, bundles_lacking_data_seconds: seconds };
      },
    ),
    plainGauges({ posting_paused: 'Whether an operator has paused posting: 1 or 0' }, async () => ({
      posting_paused: (await readPause(pool)) === null ? 0 : 1,
    })),
    plainGauges(
      {
        stored_bytes: 'Bytes of records and sealed messages in the vault, which stay until their owner is destroyed',
        stored_bytes_limit: 'MAX_STORED_BYTES',
      },
      async () => ({ stored_bytes: await readStoredBytes(pool), stored_bytes_limit: config.MAX_STORED_BYTES }),
    ),
    plainGauges(
      {
        stored_bytes_new:
          'Bytes stored by identities and uncertified institutions younger than 30 days; the limit is a quarter',
      },
      async () => ({ stored_bytes_new: await readYoungBytes(pool, context.now()) }),
    ),
    plainGauges(
      {
        shared_bytes: 'Characters of the files of live shares; the limit is a quarter of MAX_STORED_BYTES',
        shared_bytes_new: 'Those of identities younger than 30 days; the limit is a quarter of that quarter',
      },
      async () => {
        const { all, young } = await readSharedBytes(pool, context.now());
        return { shared_bytes: all, shared_bytes_new: young };
      },
    ),
    {
      gauges: { stored_bytes_largest: 'Bytes of the three identities or institutions that stored most' },
      label: 'id',
      read: async () => ({
        stored_bytes_largest: Object.fromEntries((await readLargestStored(pool)).map(({ id, bytes }) => [id, bytes])),
      }),
    },
    archiveOfDatabase(pool),
    backupsOf(context.backups),
    {
      gauges: {
        witness_cosigned_entries: 'Entries in the last tree that a witness cosigned; NaN if there is none',
        witness_has_newest: 'Whether a witness cosigned the newest checkpoint: 1 or 0',
      },
      label: 'witness',
      async read() {
        const states = await context.witnessStates();
        const ofStates = (value: (state: (typeof states)[number]) => number) =>
          Object.fromEntries(states.map((state) => [state.name, value(state)]));
        return {
          witness_cosigned_entries: ofStates(({ cosignedSize }) => cosignedSize ?? Number.NaN),
          witness_has_newest: ofStates(({ hasNewest }) => (hasNewest ? 1 : 0)),
        };
      },
    },
    plainGauges(
      {
        vault_keys: 'Data keys in the vault, as the database estimates; NaN until it has analysed the table',
        vault_rows: 'Encrypted rows in the vault, as the database estimates; NaN until it has analysed the table',
      },
      async () => {
        const { keys, rows } = await estimateRows(pool);
        return { vault_keys: keys ?? Number.NaN, vault_rows: rows ?? Number.NaN };
      },
    ),
    plainGauges(
      {
        mails_waiting: 'Mails in the outbox, also those that are to be sent later',
        mail_overdue_seconds: 'How long the mail that has been due longest has been due',
      },
      async () => {
        const { waiting, overdueSeconds } = await readMailQueue(pool, context.now());
        return { mails_waiting: waiting, mail_overdue_seconds: overdueSeconds };
      },
    ),
    plainGauges(
      {
        wallet_winston: 'Balance of the wallet',
        wallet_days_left: `How long the balance lasts at the spending of the last ${SPENDING_DAYS} days`,
        operation_winston: `Price of an operation: bundles of the last ${SPENDING_DAYS} days by their operations`,
        spent_winston_per_day: `Spending per day, over the last ${SPENDING_DAYS} days`,
      },
      async () => {
        const [{ wallet }, spending] = await Promise.all([sharedReadiness(context), readSpending(pool, SPENDING_DAYS)]);
        const balance = wallet.balance_winston === null ? null : BigInt(wallet.balance_winston);
        return {
          wallet_winston: balance === null ? Number.NaN : Number(balance),
          wallet_days_left: balance === null ? Number.NaN : daysLeft(balance, spending),
          operation_winston: pricePerOperation(spending) ?? Number.NaN,
          spent_winston_per_day: Number(spending.winston) / spending.days,
        };
      },
    ),
    {
      gauges: { webhooks: 'Webhooks whose last request failed, and webhooks that are paused' },
      label: 'state',
      async read() {
        const { failing, paused } = await deliveries();
        return { webhooks: { failing, paused } };
      },
    },
    plainGauges(
      { webhook_lag_seconds: 'How long the oldest event has been waiting for a webhook that is not paused' },
      async () => ({ webhook_lag_seconds: (await deliveries()).lagSeconds }),
    ),
  ];
}

/** What each process knows of itself. With several processes the values are combined: see metrics-snapshot.ts. */
function processSources(context: Context): GaugeSource[] {
  const pools: Readonly<Record<string, Pool>> = {
    write: context.pool,
    reserve: context.reserve.pool,
    records: context.recordPool,
    lists: context.listPool,
  };
  const ofPools = (value: (pool: Pool) => number) =>
    Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, value(pool)]));
  const ofStandbys = (value: (standby: Standby) => number) =>
    Object.fromEntries(context.publicReads.standbys.map((standby) => [standby.name, value(standby)]));
  return [
    {
      gauges: { part_ok: 'Whether a part is in order, as /ready reports it: 1 or 0' },
      label: 'part',
      aggregator: 'min',
      async read() {
        const { status: _, ...parts } = await sharedReadiness(context);
        return { part_ok: Object.fromEntries(Object.entries(parts).map(([name, { ok }]) => [name, ok ? 1 : 0])) };
      },
    },
    plainGauges(
      {
        relay_leading: 'Whether this process relays: 1 or 0. One process of a database does',
        relay_blocked: 'Whether posting or confirming fails at the moment: 1 or 0; the log has the reason',
      },
      async () => {
        const { leading, problem } = context.loops.state();
        return { relay_leading: leading ? 1 : 0, relay_blocked: problem === null ? 0 : 1 };
      },
    ),
    {
      gauges: { standby_lag_seconds: 'How long the primary has been ahead of a standby; NaN while it does not answer' },
      label: 'standby',
      read: async () => ({ standby_lag_seconds: ofStandbys(({ lagMs }) => lagMs() / 1000) }),
    },
    {
      gauges: { standby_usable: 'Whether a standby serves reads: 1 or 0' },
      label: 'standby',
      aggregator: 'min',
      read: async () => ({ standby_usable: ofStandbys(({ isUsable }) => (isUsable() ? 1 : 0)) }),
    },
    {
      ...plainGauges({ queue_operations: 'Operations that wait for a batch' }, async () => ({
        queue_operations: context.queue.length(),
      })),
      aggregator: 'sum',
    },
    {
      gauges: {
        database_connections: 'Open connections to the database, by pool',
        database_connections_idle: 'Connections that are not in use, by pool',
        database_connections_waited_for: 'Requests that wait for a connection, by pool',
      },
      label: 'pool',
      aggregator: 'sum',
      read: async () => ({
        database_connections: ofPools(({ totalCount }) => totalCount),
        database_connections_idle: ofPools(({ idleCount }) => idleCount),
        database_connections_waited_for: ofPools(({ waitingCount }) => waitingCount),
      }),
    },
  ];
}

const archiveOfDatabase = (pool: Pool): GaugeSource =>
  plainGauges(
    {
      database_archive_failing: '1 if the last attempt of the database to archive its write-ahead log failed',
      database_archive_age_seconds: 'Time since the database archived write-ahead log; NaN if it never did',
    },
    async () => {
      const { failing, lastSeconds } = await readArchiving(pool);
      return { database_archive_failing: failing ? 1 : 0, database_archive_age_seconds: lastSeconds ?? Number.NaN };
    },
  );

const backupsOf = (backups: BackupReport | null): GaugeSource =>
  plainGauges(
    {
      backup_age_seconds: 'Time since the newest backup in BACKUP_DIR began; NaN if there is none',
      backup_waiting_bytes: 'Write-ahead log that is not in BACKUP_DIR yet, which the database keeps',
      backup_waiting_seconds: 'How long the oldest of it has been waiting',
    },
    async () => {
      if (!backups) throw new Error('BACKUP_DIR is not set.');
      const { newestAt, waiting, oldestAt } = backups.state();
      return {
        backup_age_seconds: newestAt === null ? Number.NaN : (Date.now() - newestAt) / 1_000,
        backup_waiting_bytes: waiting * WAL_SEGMENT_BYTES,
        backup_waiting_seconds: oldestAt === null ? 0 : (Date.now() - oldestAt) / 1_000,
      };
    },
  );

const WAL_SEGMENT_BYTES = 16 * 1024 * 1024;
