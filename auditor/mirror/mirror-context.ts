import { createHmac, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { refusal } from '../../protocol/errors.ts';
import type { LedgerId } from '../../protocol/ids.ts';
import { parseVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import type { Config } from '../../server/config.ts';
import { createReaders } from '../../server/entities/readers.ts';
import { createLinks } from '../../server/features/guardians/follow-link.ts';
import { createRequesters } from '../../server/features/guardians/requester.ts';
import { createAddressHashes } from '../../server/features/mail/address-hashes.ts';
import { createTokenReader } from '../../server/features/read/read-token.ts';
import { createVault } from '../../server/features/vault/vault.ts';
import type { Context } from '../../server/http/context.ts';
import { createStreamCounts } from '../../server/http/limits/connection-counts.ts';
import { createLimiterStore } from '../../server/http/limits/create-store.ts';
import { createLimiter } from '../../server/http/limits/limiter.ts';
import { openStreams } from '../../server/http/open-streams.ts';
import { createPublicReads } from '../../server/http/public-reads.ts';
import { createRecentWrites } from '../../server/http/recent-writes.ts';
import type { Gateways } from '../../server/network/gateways.ts';
import { checksHere } from '../../server/platform/crypto/signature-checks.ts';
import type { Clock } from '../../server/platform/db/clock.ts';
import { createCursors } from '../../server/platform/db/cursor.ts';
import { createMetrics } from '../../server/platform/observe/metrics.ts';
import { createSecurityEvents } from '../../server/platform/observe/security-events.ts';
import { NO_TRACING } from '../../server/platform/observe/tracing.ts';
import type { Following } from './follow.ts';
import type { Trust } from './mirror-rows.ts';

export interface MirrorContextParts {
  readonly config: Config;
  readonly log: Logger;
  readonly pool: Pool;
  readonly listPool: Pool;
  readonly clock: Clock;
  readonly gateways: Gateways;
  readonly trust: Trust;
  readonly following: Following;
  readonly publicUrl: () => string;
}

function signsNothing(): never {
  throw refusal('UNAVAILABLE', 'A mirror signs nothing.');
}

/**
 * What the handlers of the public reads use. A mirror has no key of the service and no private rows: its keys are random, and its
 * parts for writing refuse.
 */
export function createMirrorContext(parts: MirrorContextParts): Context {
  const { config, log, pool, listPool, clock, gateways, trust, following } = parts;
  const secret = randomBytes(32);
  const derivedKey = (purpose: string) => createHmac('sha256', secret).update(purpose).digest();
  const metrics = createMetrics();
  const refuse = async (): Promise<never> => {
    throw refusal('UNAVAILABLE', 'A mirror accepts no operations.');
  };
  const vault = createVault(secret);
  const limiter = createLimiter({
    enabled: config.RATE_LIMIT,
    onCharge: metrics.charged,
    store: createLimiterStore(config, {
      hashKey: derivedKey('limiter').toString('hex'),
      now: clock.now,
      parent: undefined,
      onError: (error) => log.error({ err: error }, 'the limiter store failed'),
    }),
  });
  const publicReads = createPublicReads({
    standbys: { all: [], stop: async () => undefined },
    suffix: config.DOMAIN_SUFFIX,
    recentWrites: createRecentWrites(),
    onRead: metrics.read,
  });
  const key = trust.checkpoint_key === null ? null : parseVerifierKey(trust.checkpoint_key);

  const reads = {
    pool,
    readers: createReaders(pool, config.DOMAIN_SUFFIX),
    links: createLinks(pool, 1),
    readPrivateRows: async () => new Map(),
  };

  const context: Context = {
    ...reads,
    reserve: reads,
    config,
    log,
    clock,
    now: clock.now,
    headPool: pool,
    recordPool: pool,
    listPool,
    limiter,
    vault,
    addressHashes: createAddressHashes(derivedKey('addresses')),
    requesters: createRequesters(derivedKey('requesters')),
    relayer: { with: signsNothing, problemWith: () => null },
    servedHead: following.head,
    transparencyLog: key && { key, sign: unsigned, witnesses: [] },
    witnessStates: async () => [],
    network: { kind: trust.network_kind, gatewayUrl: trust.gateway_urls[0] ?? '', walletAddress: trust.wallet_address },
    arweave: gateways,
    maxPostingDelaySeconds: trust.max_posting_delay_seconds,
    loops: {
      state: () => ({ leading: true, problem: problemOf(following), lastSteps: {} }),
      stop: async () => undefined,
    },
    metrics,
    securityEvents: createSecurityEvents(log),
    ledgerId: trust.ledger_id as LedgerId,
    suffix: config.DOMAIN_SUFFIX,
    ledgerIdRequired: config.LEDGER_ID_REQUIRED,
    ownNames: [],
    publicUrl: parts.publicUrl,
    tokens: createTokenReader(pool, listPool),
    cursors: createCursors(derivedKey('cursors')),
    instituteDigests: null,
    queue: { submit: refuse, length: () => 0, idle: async () => undefined },
    tracing: NO_TRACING,
    fence: {
      lockHead: refuse,
      committed: () => undefined,
      check: async () => breachOf(following),
      latestSeq: following.verifiedTo,
      problem: () => breachOf(following),
      learn: () => undefined,
      record: async () => undefined,
    },
    publicReads,
    headQuestions: { settled: async () => undefined, unanswered: () => [] },
    streams: openStreams(config.MAX_STREAM_MS, () => context),
    streamCounts: createStreamCounts(config),
    plugIns: [],
    signatures: checksHere(),
    outbox: null,
    changes: { notify: () => undefined },
    backups: null,
    webhooks: { keys: [], sendNow: refuse, wake: () => undefined, stop: async () => undefined },
    countOnly: false,
  };
  return context;
}

function unsigned(): never {
  throw new Error('A mirror signs no checkpoints.');
}

function breachOf(following: Following): string | null {
  const breach = following.breach();
  return (
    breach &&
    `The relayer has broken the rules of the ledger: ${breach.sentence} This mirror serves what it verified before. The evidence is in ${breach.file}.`
  );
}

function problemOf(following: Following): string | null {
  const { service, log, network, postings } = following.problems();
  return service ?? log ?? network ?? postings;
}
