import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Webhooks } from '../features/events/webhooks/webhooks.ts';
import type { Links } from '../features/guardians/follow-link.ts';
import type { Requesters } from '../features/guardians/requester.ts';
import type { AddressHashes } from '../features/mail/address-hashes.ts';
import type { Outbox } from '../features/mail/outbox.ts';
import type { TokenReader } from '../features/read/read-token.ts';
import type { Vault } from '../features/vault/vault.ts';
import type { SourceQuestions } from '../ledger/ask-sources.ts';
import type { Fence } from '../ledger/fence.ts';
import type { Loops } from '../ledger/loops.ts';
import type { LedgerReadParts, NetworkFacts } from '../ledger/read.ts';
import type { RelayerSigner } from '../ledger/relayer-signer.ts';
import type { EntryStreams } from '../ledger/stream.ts';
import type { WitnessState } from '../ledger/transparency/cosignatures.ts';
import type { LogIdentity } from '../ledger/transparency/log-identity.ts';
import type { ArweaveClient } from '../network/arweave-client.ts';
import type { InstituteDigests } from '../platform/data-folder/key-files.ts';
import type { Cursors } from '../platform/db/cursor.ts';
import type { Metrics } from '../platform/observe/metrics.ts';
import type { SecurityEvents } from '../platform/observe/security-events.ts';
import type { Notifier } from '../platform/process/notifier.ts';
import type { ConnectionCounts } from '../platform/process/parent-process.ts';
import type { WriteServices } from '../write/services.ts';
import type { Limiter } from './limits/limiter.ts';
import type { PublicReads } from './public-reads.ts';

/** What a service reports of the backups of its database, which main.ts starts. */
export interface BackupReport {
  /** Times in ms since 1970; null if there is none. */
  state(): { readonly newestAt: number | null; readonly waiting: number; readonly oldestAt: number | null };
  /** What an operator must do something about; null if nothing. */
  problem(): string | null;
}

/** The live objects of the process. There is one set per process. */
export interface Context extends WriteServices {
  readonly config: Config;
  readonly log: Logger;
  /** The public URL of the service; final only once the server listens. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970 by the database's clock. */
  readonly now: () => number;
  readonly pool: Pool;
  readonly headPool: Pool;
  /** A second pool on the same database, for pages of records. */
  readonly recordPool: Pool;
  /** A third pool on the same database, for public lists: searches, histories, pages of the ledger. */
  readonly listPool: Pool;
  readonly limiter: Limiter;
  readonly vault: Vault;
  readonly links: Links;
  readonly requesters: Requesters;
  readonly addressHashes: AddressHashes;
  /** Null where no mail server is configured. */
  readonly outbox: Outbox | null;
  /** Wakes the loops that wait for a change. */
  readonly changes: Pick<Notifier, 'notify'>;
  /** Null without BACKUP_DIR. */
  readonly backups: BackupReport | null;
  readonly webhooks: Webhooks;
  readonly tokens: TokenReader;
  readonly cursors: Cursors;
  /** SHA-256 of each of the institute's three keys; null if none is configured. */
  readonly instituteDigests: InstituteDigests | null;
  readonly relayer: RelayerSigner;
  /** Only in a mirror: see LedgerReadParts. */
  readonly servedHead?: LedgerReadParts['servedHead'];
  /** Null if there is no key for checkpoints. */
  readonly transparencyLog: LogIdentity | null;
  /** The state of each witness of the log, in the order of WITNESSES. */
  readonly witnessStates: () => Promise<readonly WitnessState[]>;
  readonly network: NetworkFacts;
  readonly arweave: ArweaveClient;
  readonly maxPostingDelaySeconds: number;
  readonly fence: Fence;
  /** Who was asked whether the database lost operations. */
  readonly headQuestions: Pick<SourceQuestions, 'settled' | 'unanswered'>;
  readonly publicReads: PublicReads;
  readonly streams: EntryStreams;
  /** The open streams of all processes. */
  readonly streamCounts: ConnectionCounts;
  readonly loops: Loops;
  readonly metrics: Metrics;
  readonly securityEvents: SecurityEvents;
}

const KEY = Symbol.for('perpetua.context');

type Holder = { [KEY]?: Context };

/** Next bundles its own copies of these modules. All copies share the symbol. */
export function setContext(context: Context): void {
  (globalThis as Holder)[KEY] = context;
}

/** @throws {Error} if no server has been started in this process. */
export function getContext(): Context {
  const context = (globalThis as Holder)[KEY];
  if (!context) throw new Error('The service has not been started in this process; use npm start.');
  return context;
}
