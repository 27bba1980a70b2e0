import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { NONCE_RETENTION_MS } from '../../protocol/time.ts';
import { type Config, ConfigError } from '../config.ts';
import { createReaders } from '../entities/readers.ts';
import { startSettling } from '../entities/settle-revocations.ts';
import { openWebhooks } from '../features/events/webhooks/open-webhooks.ts';
import { createLinks, type Links } from '../features/guardians/follow-link.ts';
import { createGuardiansPlugIn } from '../features/guardians/plug-in.ts';
import { deleteExpiredLinks, KEPT_MS } from '../features/guardians/request-rows.ts';
import { createRequesters } from '../features/guardians/requester.ts';
import { loadAddressHashKey } from '../features/mail/address-hash-key.ts';
import { type AddressHashes, createAddressHashes } from '../features/mail/address-hashes.ts';
import { COUNTED_MS, deleteOldMailCounts } from '../features/mail/allowance.ts';
import { openOutbox } from '../features/mail/open-outbox.ts';
import { createMailPlugIn } from '../features/mail/plug-in.ts';
import { createTokenReader } from '../features/read/read-token.ts';
import { bindOldRecords } from '../features/records/bind-records.ts';
import { createRecordsPlugIn } from '../features/records/plug-in.ts';
import { createVaultPlugIn } from '../features/vault/plug-in.ts';
import { claimVault, createVault, type Vault, vaultKeyFits } from '../features/vault/vault.ts';
import type { BackupReport, Context } from '../http/context.ts';
import { createStreamCounts } from '../http/limits/connection-counts.ts';
import { createLimiterStore } from '../http/limits/create-store.ts';
import { createLimiter } from '../http/limits/limiter.ts';
import { openStreams } from '../http/open-streams.ts';
import { createPublicReads } from '../http/public-reads.ts';
import { createRecentWrites } from '../http/recent-writes.ts';
import {
  agreeOnSettings,
  replaceInstituteKeys,
  requireAgreement,
  type SharedSettings,
} from '../ledger/agreed-settings.ts';
import { createSourceQuestions, type SourceQuestions } from '../ledger/ask-sources.ts';
import { isOverBudget } from '../ledger/budget.ts';
import { readBacklog } from '../ledger/entries.ts';
import { openFence } from '../ledger/fence.ts';
import { createKnownKeys } from '../ledger/known-keys.ts';
import { startLoops } from '../ledger/loops.ts';
import { mirrorHead } from '../ledger/mirror-head.ts';
import { networkHead } from '../ledger/network-head.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { createRelayerSigner } from '../ledger/relayer-signer.ts';
import { createPublisher } from '../ledger/transparency/checkpoints.ts';
import { readWitnessStates } from '../ledger/transparency/cosignatures.ts';
import { logIdentity } from '../ledger/transparency/log-identity.ts';
import { signedTreeHead, witnessedHeads } from '../ledger/transparency/tree-heads.ts';
import { startWitnessing } from '../ledger/transparency/witnessing.ts';
import type { Resolve } from '../network/checked-address.ts';
import { createGateways } from '../network/gateways.ts';
import type { Wallet } from '../network/wallet.ts';
import { checksHere, startSignatureThread } from '../platform/crypto/signature-checks.ts';
import {
  loadCheckpointKey,
  loadInstituteKeys,
  loadRelayerKey,
  loadRelayerKeys,
  loadVaultKey,
  loadWebhookSeeds,
} from '../platform/data-folder/key-files.ts';
import { type Clock, createClock } from '../platform/db/clock.ts';
import { POOL_SIZES } from '../platform/db/connections.ts';
import { createCursors } from '../platform/db/cursor.ts';
import { createExpiry } from '../platform/db/delete-expired.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { createPool } from '../platform/db/pool.ts';
import { openStandbys } from '../platform/db/standbys.ts';
import { runAll } from '../platform/db/statement.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { createSecurityEvents } from '../platform/observe/security-events.ts';
import { startTracing } from '../platform/observe/tracing.ts';
import { alignedMs, createNotifier } from '../platform/process/notifier.ts';
import type { ParentProcess } from '../platform/process/parent-process.ts';
import { type PlugIn, partOf } from '../write/plug-in.ts';
import { createQueue } from '../write/queue.ts';
import { createBudgetPlugIn, deleteOldUses } from '../write/spend-budget.ts';
import { registerGauges } from './gauges.ts';

export interface ServiceParts {
  readonly config: Config;
  readonly log: Logger;
  readonly databaseUrl: string;
  readonly gateway: { readonly urls: readonly string[]; readonly kind: 'devnet' | 'arweave'; readonly wallet: Wallet };
  /** The public URL; final only once the server listens. */
  readonly publicUrl: () => string;
  readonly clock?: Clock;
  /** The backups of the database, if it is embedded and BACKUP_DIR is set. */
  readonly backups?: BackupReport | null;
  /** What differs from the settings and defaults: how receivers of webhooks are found, recognised and waited for. */
  readonly webhookTargets?: { readonly resolve: Resolve; readonly ca: string; readonly timeoutMs?: number };
  /** The parent that this process shares with other serving processes, if there are several. */
  readonly parent?: ParentProcess;
  /** Whether signatures are verified in a worker thread, which needs the built server. */
  readonly signatureThread?: boolean;
}

export interface Service {
  readonly context: Context;
  /** Finishes work in progress, then closes everything this service opened. */
  stop(): Promise<void>;
}

/** Lists are public, and none needs longer. */
const LIST_STATEMENT_MS = 1_000;
/** A process that hangs, or whose connection is dead, must not lock the ledger's head for longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000;
const CONFIRM_PAUSE_MS = { devnet: 500, arweave: 15_000 };
const MAINTENANCE_MS = 1_000;
const OTHER_INSTITUTE_KEYS =
  'the process that started last had other INSTITUTE_KEY_DIGESTS: if you changed them, restart every process; if not, correct them';

/**
 * Starts everything behind the transports: database, ledger, limiter, loops.
 * @throws {ConfigError} if the keys do not match the database.
 */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, log, gateway } = parts;
  const lost = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost');
  let questions: SourceQuestions | null = null;
  const onWriteConnectionLost = (error: Error) => {
    lost(error);
    questions?.ask();
  };
  const pool = createPool(parts.databaseUrl, POOL_SIZES.writes, onWriteConnectionLost, {
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
  });
  const reservePool = createPool(parts.databaseUrl, POOL_SIZES.reserve, onWriteConnectionLost, {
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
  });
  const recordPool = createPool(parts.databaseUrl, POOL_SIZES.records, lost, { inOrder: true });
  const listPool = createPool(parts.databaseUrl, POOL_SIZES.lists, lost, { statementMs: LIST_STATEMENT_MS });
  try {
    // Reports a missing key before the database is changed.
    loadRelayerKey(config);
    const vaultKey = loadVaultKey(config);
    const derivedKey = (purpose: string) => createHmac('sha256', vaultKey).update(purpose).digest();
    const applied = await migrateDatabase(parts.databaseUrl, lost);
    if (applied.length > 0) log.info({ applied }, 'migrations applied');
    const { head, relayer: found, succession } = await openLedger(pool, config);
    const { ledgerId } = head;
    const checkpointKey = loadCheckpointKey(config);
    const instituteDigests = loadInstituteKeys(config).digests;
    const shared: SharedSettings = {
      network: gateway.kind,
      wallet: gateway.wallet.address,
      domainSuffix: config.DOMAIN_SUFFIX,
      checkpointKey: checkpointKey?.publicKey,
    };
    // A process that is refused must not claim the vault.
    await requireAgreement(pool, shared);
    if (!(await vaultKeyFits(pool, vaultKey)) || !(await claimVault(pool, vaultKey))) {
      throw new ConfigError('VAULT_KEY does not open the vault in this database; nothing was changed.');
    }
    await agreeOnSettings(pool, shared);
    if (instituteDigests && (await replaceInstituteKeys(pool, instituteDigests))) log.warn(OTHER_INSTITUTE_KEYS);

    await bindOldRecords({ databaseUrl: parts.databaseUrl, log, vaultKey, succession });

    const clock = parts.clock ?? createClock();
    await clock.synchronise(pool);
    const fence = await openFence(config.DATA_DIR, ledgerId, (problem) =>
      problem ? log.error({ problem }, 'writes are refused') : log.warn('writes are accepted again'),
    );
    await fence.check(pool);
    const vault = createVault(vaultKey);
    const addressHashes = createAddressHashes(
      await loadAddressHashKey(pool, { vaultKey, relayerKey: found.privateKey }),
    );
    const relayer = createRelayerSigner(
      () => loadRelayerKeys(config),
      (key, isFound) => {
        if (isFound) log.warn({ key }, 'another key signs the ledger');
        else log.error({ key }, 'the key of the ledger is missing');
      },
    );
    const knownKeys = createKnownKeys(pool, succession);
    const arweave = createGateways(gateway.urls);
    const transparencyLog = checkpointKey && logIdentity(head.ledgerId, checkpointKey, config.WITNESSES);
    if (!transparencyLog) log.warn('no checkpoints are published: set CHECKPOINT_KEY_FILE');
    questions = createSourceQuestions(
      {
        fence,
        pool,
        sources: [
          signedTreeHead(pool),
          networkHead({ pool, client: arweave, wallet: gateway.wallet.address, knownKeys }),
          ...(transparencyLog ? witnessedHeads(transparencyLog) : []),
          ...config.MIRRORS.map((url) => mirrorHead(url, ledgerId, knownKeys)),
        ],
      },
      ({ source, reason }) =>
        log.warn({ source, reason }, 'a source of later heads does not answer and is asked again'),
    );
    questions.ask();
    const { settled } = questions;
    const metrics = createMetrics(parts.parent);
    const tracing = await startTracing(config, log);
    const securityEvents = createSecurityEvents(log);
    let backlog = 0;
    const links = createLinks(pool, head.epoch);
    const changes = createNotifier();
    const budget = createBudgetPlugIn({
      now: clock.now,
      isTight: () => backlog >= config.MAX_BACKLOG,
      isOver: (current) => isOverBudget(config, current, backlog, clock.now()),
    });
    const plugIns = [
      budget,
      ...createPlugIns(parts, { pool, vault, links, addressHashes, now: clock.now }),
    ] as readonly PlugIn[];
    const settling = startSettling(pool, (error) =>
      log.warn({ err: error }, 'revocations are not settled and are retried'),
    );
    const queue = createQueue({
      pool: reservePool,
      clock,
      plugIns,
      fence,
      settled,
      onDatabaseLost: questions.ask,
      signerOf: ({ relayerPublicKey }) => relayer.with(relayerPublicKey).items,
      onUnexpected: (error) => log.error({ err: error }, 'an operation failed unexpectedly'),
      tracing,
      onBatch(batch) {
        metrics.committed(batch);
        changes.notify();
      },
      onConsentsEnded: settling.wake,
      onHeadLocked: metrics.headLocked,
    });
    // Before the loops, which a refused webhook key would leave running.
    const webhooks = await openWebhooks(config, {
      databaseUrl: parts.databaseUrl,
      targets: parts.webhookTargets,
      log,
      clock,
      ledgerId,
      seeds: loadWebhookSeeds(config),
      onAnswered: metrics.webhookAnswered,
      changes,
    });
    const loops = startLoops(
      {
        pool,
        fence,
        settled,
        changes,
        client: arweave,
        wallet: gateway.wallet,
        maxAgeMs: config.BUNDLE_MAX_AGE_MS,
        maxWinston: config.MAX_WINSTON_PER_BUNDLE,
        dailyBytes: config.DAILY_BYTES,
        confirmPauseMs: CONFIRM_PAUSE_MS[gateway.kind],
        onPosted: metrics.posted,
        tracing,
      },
      (loop, error) => log.warn({ err: error }, `the ${loop} loop failed and is retried`),
    );
    const limiter = createLimiter({
      enabled: config.RATE_LIMIT,
      onCharge: metrics.charged,
      store: createLimiterStore(config, {
        hashKey: derivedKey('limiter').toString('hex'),
        now: clock.now,
        parent: parts.parent,
        onError: (error) => log.warn({ err: error }, 'the limiter store failed'),
      }),
    });

    const stopping = new AbortController();
    let lastSeq = 0;
    const deleteExpired = createExpiry({ linksMs: KEPT_MS, mailCountsMs: COUNTED_MS }, [
      deleteNoncesAndNames,
      deleteExpiredLinks,
      deleteOldMailCounts,
      deleteOldUses,
      async () => settling.wake(),
    ]);
    const failingCheckpoints = (error: unknown) => log.error({ err: error }, 'checkpoints fail and are retried');
    const failing = (error: unknown) => log.warn({ err: error }, 'maintenance failed and is retried');
    const maintenance = repeat(stopping.signal, failing, async () => {
      await fence.record();
      await onConnection(pool, async (client) => {
        const [{ entries }] = await Promise.all([
          readBacklog(client),
          fence.check(client),
          clock.synchronise(client),
          deleteExpired(client, clock.now()),
        ]);
        backlog = entries;
        // Another process may have written.
        if (fence.latestSeq() !== lastSeq) changes.notify();
        lastSeq = fence.latestSeq();
      });
    });

    const witnessing = startWitnessing({ pool, log, witnesses: transparencyLog?.witnesses ?? [] });
    const publish = transparencyLog && createPublisher(pool, transparencyLog, witnessing.request);
    const checkpoints = repeat(stopping.signal, failingCheckpoints, async () => {
      if (!publish || !loops.state().leading || fence.problem()) return witnessing.request(null);
      await publish();
    });

    const outbox = openOutbox(config, {
      databaseUrl: parts.databaseUrl,
      publicUrl: parts.publicUrl,
      log,
      vault,
      clock,
      addressHashes,
      onAttempt: metrics.mailed,
    });
    const signatures = parts.signatureThread
      ? startSignatureThread((error) => log.error({ err: error }, 'signatures are checked in the serving thread'))
      : checksHere();

    const standbys = openStandbys(config.DATABASE_READ_URL, {
      primary: pool,
      ledgerId,
      maxLagMs: config.DATABASE_READ_MAX_LAG_MS,
      onChange: (standby, reason) =>
        reason === null
          ? log.warn({ standby }, 'a standby serves reads')
          : log.warn({ standby, reason }, 'a standby is skipped'),
    });
    const publicReads = createPublicReads({
      standbys,
      suffix: config.DOMAIN_SUFFIX,
      recentWrites: parts.parent?.recentWrites ?? createRecentWrites(),
      onRead: metrics.read,
    });

    const context: Context = {
      config,
      log,
      clock,
      now: clock.now,
      pool,
      headPool: pool,
      recordPool,
      listPool,
      limiter,
      vault,
      addressHashes,
      requesters: createRequesters(derivedKey('requesters')),
      relayer,
      transparencyLog,
      witnessStates: () => readWitnessStates(pool, transparencyLog?.witnesses ?? []),
      network: { kind: gateway.kind, gatewayUrl: gateway.urls[0] ?? '', walletAddress: gateway.wallet.address },
      arweave,
      maxPostingDelaySeconds: config.MAX_POSTING_DELAY_SECONDS,
      loops,
      metrics,
      securityEvents,
      ledgerId: head.ledgerId,
      suffix: config.DOMAIN_SUFFIX,
      ledgerIdRequired: config.LEDGER_ID_REQUIRED,
      ownNames: [config.SERVICE_NAME, ...(config.OPERATOR_NAME === undefined ? [] : [config.OPERATOR_NAME])],
      publicUrl: parts.publicUrl,
      readers: createReaders(pool, config.DOMAIN_SUFFIX),
      tokens: createTokenReader(pool, listPool),
      cursors: createCursors(derivedKey('cursors')),
      instituteDigests,
      queue,
      tracing,
      fence,
      headQuestions: questions,
      publicReads,
      streams: openStreams(config.MAX_STREAM_MS, () => context),
      streamCounts: parts.parent?.streams ?? createStreamCounts(config),
      plugIns,
      readPrivateRows: (ownerId, ids) => vault.readRows(pool, ownerId, ids),
      reserve: {
        pool: reservePool,
        readers: createReaders(reservePool, config.DOMAIN_SUFFIX),
        links: createLinks(reservePool, head.epoch),
        readPrivateRows: (ownerId, ids) => vault.readRows(reservePool, ownerId, ids),
      },
      signatures,
      links,
      outbox,
      backups: parts.backups ?? null,
      webhooks,
      countOnly: config.ACCEPT_COUNT_ONLY_SUBMISSIONS,
    };
    registerGauges(context);
    return {
      context,
      async stop() {
        stopping.abort();
        context.streams.stop();
        securityEvents.close();
        await queue.idle();
        await Promise.all([
          maintenance,
          checkpoints,
          witnessing.stop(),
          settling.stop(),
          questions?.stop(),
          loops.stop(),
          limiter.close(),
          outbox?.stop(),
          webhooks.stop(),
          signatures.close(),
          publicReads.stop(),
        ]);
        await fence.record().catch(failing);
        await Promise.all([pool.end(), reservePool.end(), recordPool.end(), listPool.end(), tracing.stop()]);
      },
    };
  } catch (error) {
    await questions?.stop();
    await Promise.all([pool.end(), reservePool.end(), recordPool.end(), listPool.end()]);
    throw error;
  }
}

/** The plug-ins of the write pipeline. The vault comes first: the rows of the others are encrypted under its keys. */
function createPlugIns(
  { config, publicUrl }: ServiceParts,
  parts: {
    readonly pool: Pool;
    readonly vault: Vault;
    readonly links: Links;
    readonly addressHashes: AddressHashes;
    readonly now: () => number;
  },
): readonly PlugIn[] {
  const { pool, vault, links, addressHashes, now } = parts;
  const vaultPlugIn = createVaultPlugIn(
    vault,
    {
      beo: config.MAX_BYTES_PER_BEO,
      ieo: config.MAX_BYTES_PER_IEO,
      service: config.MAX_STORED_BYTES,
    },
    now,
  );
  const guardians = createGuardiansPlugIn({ publicUrl, newToken: links.newToken });
  const ciphertextOnNetwork = config.RECORDS_ON_NETWORK === 'ciphertext';
  const records = createRecordsPlugIn({ pool, vault, vaultPlugIn, ciphertextOnNetwork });
  const mail = createMailPlugIn({
    enabled: config.SMTP_URL !== undefined,
    source: addressHashes.source,
    invitationsOf: (submission) => partOf(guardians, submission)?.invited ?? [],
  });
  return [vaultPlugIn, guardians, records, mail] as readonly PlugIn[];
}

async function repeat(
  signal: AbortSignal,
  onFailing: (error: unknown) => void,
  step: () => Promise<void>,
): Promise<void> {
  let failing = false;
  while (!signal.aborted) {
    try {
      await step();
      failing = false;
    } catch (error) {
      if (!failing) onFailing(error);
      failing = true;
    }
    await sleep(alignedMs(MAINTENANCE_MS), undefined, { signal }).catch(() => undefined);
  }
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
