import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createReaders } from '../entities/readers.ts';
import { createLinks } from '../features/guardians/follow-link.ts';
import { createRequesters } from '../features/guardians/requester.ts';
import { createTokenReader } from '../features/read/read-token.ts';
import type { BackupReport, Context } from '../http/context.ts';
import { createStreamCounts } from '../http/limits/connection-counts.ts';
import { openStreams } from '../http/open-streams.ts';
import { readWitnessStates } from '../ledger/transparency/cosignatures.ts';
import type { Resolve } from '../network/checked-address.ts';
import type { Wallet } from '../network/wallet.ts';
import { type Clock, createClock } from '../platform/db/clock.ts';
import { createCursors } from '../platform/db/cursor.ts';
import { openFirst } from '../platform/db/pool.ts';
import { createClosing } from '../platform/process/closing.ts';
import { createNotifier, type Notifier } from '../platform/process/notifier.ts';
import type { ParentProcess } from '../platform/process/parent-process.ts';
import { registerGauges } from './gauges.ts';
import { type Background, openBackground } from './parts/open-background.ts';
import { type Observers, openObservers } from './parts/open-observers.ts';
import { openPools, type Pools } from './parts/open-pools.ts';
import { openReads, type Reads } from './parts/open-reads.ts';
import { openServiceLedger, type ServiceLedger } from './parts/open-service-ledger.ts';
import { openSources, type Sources } from './parts/open-sources.ts';
import { openUpkeep } from './parts/open-upkeep.ts';
import { openWrites, type Writes } from './parts/open-writes.ts';

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
  /** Replaces the limits of requests that wait for the database, which a busy machine exceeds. */
  readonly databaseWaitMs?: number;
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

/**
 * Opens everything behind the transports, part by part. `stop` closes the parts in reverse order, and so does a part that fails to open.
 * @throws {ConfigError} if the keys or settings do not match the database.
 */
export async function startService(service: ServiceParts): Promise<Service> {
  const { log } = service;
  const closing = createClosing((part, error) => log.error({ err: error }, `stopping: ${part} failed`));
  try {
    const pools = openPools(service, closing);
    await Promise.all([pools.pool, pools.reservePool].map(openFirst));
    const ledger = await openServiceLedger(service, pools);
    const clock = service.clock ?? createClock();
    await clock.synchronise(pools.pool);
    const changes = createNotifier();
    const observers = await openObservers(service, closing);
    const sources = await openSources(service, pools, ledger, closing);
    const writes = await openWrites(service, { pools, ledger, sources, observers, clock, changes }, closing);
    const all = { pools, ledger, sources, observers, writes, clock, changes };
    const background = await openBackground(service, all, closing);
    openUpkeep(service, all, closing);
    const reads = openReads(service, all, closing);
    const context = contextOf(service, { ...all, background, reads });
    closing.add('the streams of the ledger', context.streams.stop);
    registerGauges(context);
    return { context, stop: closing.run };
  } catch (error) {
    await closing.run();
    throw error;
  }
}

/** The parts of a service that others work with. */
export interface OpenParts {
  readonly pools: Pools;
  readonly ledger: ServiceLedger;
  readonly clock: Clock;
  /** Of a batch that was committed, here or by another process, or of a new request for a recovery. */
  readonly changes: Notifier;
  readonly observers: Observers;
  readonly sources: Sources;
  readonly writes: Writes;
  readonly background: Background;
  readonly reads: Reads;
}

/** What requests work with. */
function contextOf(service: ServiceParts, parts: OpenParts): Context {
  const { config, log, gateway, publicUrl } = service;
  const { pools, ledger, clock, changes, observers, sources, writes, background, reads } = parts;
  const { pool, reservePool, recordPool, listPool } = pools;
  const { head, instituteDigests, derivedKey } = ledger;
  const { vault, links } = writes;
  const { transparencyLog } = sources;
  const context: Context = {
    config,
    log,
    clock,
    now: clock.now,
    changes,
    publicUrl,
    pool,
    headPool: pool,
    recordPool,
    listPool,
    ...observers,
    ...background,
    ...reads,
    vault,
    links,
    addressHashes: writes.addressHashes,
    relayer: writes.relayer,
    queue: writes.queue,
    plugIns: writes.plugIns,
    signatures: writes.signatures,
    fence: sources.fence,
    headQuestions: sources.questions,
    arweave: sources.arweave,
    transparencyLog,
    witnessStates: () => readWitnessStates(pool, transparencyLog?.witnesses ?? []),
    network: { kind: gateway.kind, gatewayUrl: gateway.urls[0] ?? '', walletAddress: gateway.wallet.address },
    maxPostingDelaySeconds: config.MAX_POSTING_DELAY_SECONDS,
    ledgerId: head.ledgerId,
    suffix: config.DOMAIN_SUFFIX,
    ledgerIdRequired: config.LEDGER_ID_REQUIRED,
    ownNames: [config.SERVICE_NAME, ...(config.OPERATOR_NAME === undefined ? [] : [config.OPERATOR_NAME])],
    instituteDigests,
    requesters: createRequesters(derivedKey('requesters')),
    cursors: createCursors(derivedKey('cursors')),
    readers: createReaders(pool, config.DOMAIN_SUFFIX),
    tokens: createTokenReader(pool, listPool),
    readPrivateRows: (ownerId, ids) => vault.readRows(pool, ownerId, ids),
    reserve: {
      pool: reservePool,
      readers: createReaders(reservePool, config.DOMAIN_SUFFIX),
      links: createLinks(reservePool, head.epoch),
      readPrivateRows: (ownerId, ids) => vault.readRows(reservePool, ownerId, ids),
    },
    streams: openStreams(config.MAX_STREAM_MS, () => context),
    streamCounts: service.parent?.streams ?? createStreamCounts(config),
    backups: service.backups ?? null,
    countOnly: config.ACCEPT_COUNT_ONLY_SUBMISSIONS,
  };
  return context;
}
