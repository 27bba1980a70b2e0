import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { assertedLines } from '../../auditor/audit/asserted-recoveries.ts';
import type { Audit } from '../../auditor/audit/audit.ts';
import { openStateFile, temporaryStateFolder } from '../../auditor/audit/audit-state-file.ts';
import { type BundleList, entriesIn, listBundles } from '../../auditor/audit/bundle-list.ts';
import type { Rules } from '../../auditor/audit/checked.ts';
import { startCheckers } from '../../auditor/audit/checkers.ts';
import { entriesOfMirror, type RefusedEntry } from '../../auditor/audit/entries-of-mirror.ts';
import type { Findings } from '../../auditor/audit/findings.ts';
import { findRules } from '../../auditor/audit/first-key.ts';
import { faultLines, findingLines, stateLines, type Verdict } from '../../auditor/audit/report.ts';
import { firstTableInUse, forgetService, lockLedger, mayEmptyTables } from '../../auditor/audit/restore-rows.ts';
import { type CommandParts, watchMemory } from '../../auditor/audit/verify.ts';
import { readConfig } from '../../server/config.ts';
import { agreeOnSettings } from '../../server/ledger/agreed-settings.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import { createGateways } from '../../server/network/gateways.ts';
import {
  existingRelayerKey,
  openDatabase,
  openNetwork,
  runningService,
} from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { requireStopped } from '../../server/platform/command-line/require-stopped.ts';
import { type KeyPair, loadRelayerKeys } from '../../server/platform/data-folder/key-files.ts';
import { type RunningServer, runningProcess } from '../../server/platform/data-folder/running-file.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createPool, LONG_RUNNING } from '../../server/platform/db/pool.ts';
import {
  type KeptParts,
  MirrorEntryRefused,
  type RestoreParts,
  RestoreStopped,
  restoreLedger,
} from './restore-ledger.ts';

export interface RestoreOptions {
  readonly gateway?: readonly string[];
  readonly wallet?: string;
  readonly ledgerId?: string;
  /** Seconds to wait for bundles that are posted and not mined yet. */
  readonly wait?: number;
  /** Continues without entries that are not mined by then. */
  readonly abandonPending?: boolean;
  /** The maximum number of transactions to list for the wallet. */
  readonly mostBundles?: number;
  /** The URL of a mirror, whose entries after those on the network are added. */
  readonly fromMirror?: string;
}

const WAIT_SECONDS = 3_600;
const POLL_MS = 2_000;

/** Private rows that a restore keeps: those of a database that a backup restored. */
export interface Backup extends KeptParts {
  /** Runs first in the transaction: empties the public tables. */
  begin(connection: ClientBase): Promise<void>;
  /** Runs last in the transaction: makes the private rows fit the restored state. */
  end(connection: ClientBase, audit: Audit): Promise<void>;
  /** What the operator must know of them. */
  lines(): string[];
}

/**
 * `npm run restore`, in one transaction, so that a crash leaves an empty database.
 * @returns `breach` if the ledger on the network has breaches and nothing was written.
 * @throws {CommandError | ConfigError | GatewayError} if it could not run
 */
export async function restore(options: RestoreOptions, parts: CommandParts): Promise<Verdict> {
  const config = readConfig(parts.env);
  existingRelayerKey(config);
  const running = await runningService(config);
  if (running && !config.DATABASE_URL) {
    throw new CommandError(
      `The service is running (${runningProcess(config.DATA_DIR, running)}); stop it, and run this again.`,
    );
  }
  return restoreInto(await openDatabase(config, running, parts), running, options, parts);
}

/**
 * Restores the public state into a database.
 * @param backup how the private rows of the database are kept; absent if it must be empty
 * @throws {CommandError | ConfigError | GatewayError} if it could not run
 */
export async function restoreInto(
  databaseUrl: string,
  running: RunningServer | null,
  options: RestoreOptions,
  parts: CommandParts,
  backup?: Backup,
): Promise<Verdict> {
  if (!options.gateway !== !options.wallet) throw new CommandError('Give --gateway and --wallet together.');
  const config = readConfig(parts.env);
  existingRelayerKey(config);
  const relayers = loadRelayerKeys(config);
  const pool = createPool(databaseUrl, 1, () => undefined, LONG_RUNNING);
  parts.addStep('the database connection', () => pool.end());
  // Services on other machines have no running file here.
  await requireStopped(pool);
  await migrate(pool);
  if (backup && !(await mayEmptyTables(pool))) {
    throw new CommandError(
      'The role in DATABASE_URL has no right to empty tables (TRUNCATE). Set DATABASE_URL to the role that owns the database. No row was changed.',
    );
  }
  const inUse = backup ? null : await firstTableInUse(pool);
  if (inUse) throw new CommandError(`The database is not empty: its table ${inUse} has rows. Nothing was changed.`);

  const network =
    options.gateway && options.wallet
      ? { gatewayUrls: options.gateway, wallet: options.wallet }
      : await openNetwork(config, running, parts);
  const client = createGateways(network.gatewayUrls);
  await waitForPending(
    client,
    network.wallet,
    options,
    parts,
    backup !== undefined || options.fromMirror !== undefined,
  );
  const rules = await findRules(client, network.wallet, {
    keys: relayers.map(({ publicKey }) => publicKey.toString('hex')),
    ledgerId: options.ledgerId,
    suffix: config.DOMAIN_SUFFIX,
  });
  const checkers = startCheckers(rules, parts.workerFile ? { file: parts.workerFile } : {});
  parts.addStep('the checks', checkers.close);

  const began = performance.now();
  const memory = watchMemory();
  const maxDelayMs = 1000 * config.MAX_POSTING_DELAY_SECONDS;
  const onProgress = parts.progress.at;

  /** Repeated without the first entry of the mirror that fails a check, and without those after it. */
  async function attempt(refused: RefusedEntry | null): Promise<Restored> {
    const stateFile = openStateFile(temporaryStateFolder());
    parts.addStep('the temporary files', async () => stateFile.close());
    const mirror =
      options.fromMirror === undefined ? null : entriesOfMirror(options.fromMirror, keysOf(rules, relayers), refused);
    try {
      const restored = await inOneTransaction(pool, {
        wallet: network.wallet,
        ...{ client, checkers, stateFile, rules, relayers, maxDelayMs, onProgress },
        ...(options.mostBundles === undefined ? {} : { mostBundles: options.mostBundles }),
        ...(backup ? { backup } : {}),
        ...(mirror ? { mirror } : {}),
      });
      return { ...restored, cut: mirror?.cut ?? null };
    } catch (error) {
      if (!(error instanceof MirrorEntryRefused)) throw error;
      parts.note(`${error.message} Everything is read again, up to the entry before it.`);
      stateFile.close();
      return attempt(error.entry);
    }
  }

  try {
    const restored = await attempt(null);
    parts.progress.end();
    const seconds = (performance.now() - began) / 1000;
    for (const line of restoredLines(restored, seconds, memory.stop(), backup?.lines())) parts.print(line);
    for (const line of faultLines(client)) parts.print(line);
    return 'clean';
  } catch (error) {
    if (!(error instanceof RestoreStopped)) throw error;
    parts.progress.end();
    for (const line of await stoppedLines(client, network.wallet, error.findings, options.mostBundles))
      parts.print(line);
    for (const line of faultLines(client)) parts.print(line);
    return 'breach';
  }
}

const VAULT_LOST = ['The vault is empty: health records and the access log are lost.'];

type Restored = Awaited<ReturnType<typeof restoreLedger>> & {
  /** Why entries of the mirror were left out. */
  readonly cut: string | null;
};

function* restoredLines(
  { audit, beginning, cut }: Restored,
  seconds: number,
  memoryBytes: number,
  vaultLines: readonly string[] = VAULT_LOST,
): Iterable<string> {
  const { network: read, beyond, replay, findings } = audit;
  const rate = Math.round(read.entries / Math.max(seconds, 0.001));
  yield* [
    `Restored ${read.entries} entries in ${seconds.toFixed(1)} s, ${rate}/s:`,
    ...stateLines(replay.state),
    `  at most ${Math.round(memoryBytes / 1e6)} MB of memory`,
    `Epoch ${beginning.epoch} begins with entry ${beginning.seq}; it is posted once the service runs.`,
    ...(beyond.entries > 1
      ? [`Entries that were not on the network, which are posted then too: ${beyond.entries - 1}.`]
      : []),
    ...(cut === null ? [] : [cut]),
    'Other entries that were accepted and never posted are lost; requests signed before now are rejected.',
    ...vaultLines,
    `Open invitations that have expired: ${replay.point.expiredInvitations}. Invite the guardians again.`,
    `Open recovery requests with a confirmation that were closed: ${replay.point.closedRequests}. Request them again.`,
  ];
  yield* assertedLines(audit.assertedRecoveries);
  if (findings.total > 0) yield* ['', ...findingLines(findings)];
}

const keysOf = ({ relayerKey }: Rules, relayers: readonly KeyPair[]): string[] => [
  relayerKey,
  ...relayers.map(({ publicKey }) => publicKey.toString('hex')),
];

async function inOneTransaction(
  pool: Pool,
  { backup, ...parts }: Omit<RestoreParts, 'connection' | 'now' | 'backup'> & { readonly backup?: Backup },
) {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await backup?.begin(connection);
    await lockLedger(connection);
    if (!backup) await forgetService(connection);
    // The kind of the network is recorded by the first start: --gateway does not tell it.
    await agreeOnSettings(connection, {
      wallet: parts.wallet,
      ...(parts.rules.suffix === null ? {} : { domainSuffix: parts.rules.suffix }),
    });
    const { rows } = await connection.query<{ now: string }>('SELECT clock_timestamp() AS now');
    const now = Date.parse(rows[0]?.now ?? '');
    const restored = await restoreLedger({
      ...parts,
      ...(backup ? { backup } : {}),
      connection,
      now,
    });
    await backup?.end(connection, restored.audit);
    await connection.query('COMMIT');
    return restored;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/** Waits for posted bundles to be mined, unless the operator abandons them. */
async function waitForPending(
  client: ArweaveClient,
  wallet: string,
  { wait = WAIT_SECONDS, abandonPending = false, mostBundles }: RestoreOptions,
  { note }: CommandParts,
  mayBeEmpty: boolean,
): Promise<void> {
  const deadline = performance.now() + 1000 * wait;
  for (let noted = false; ; noted = true) {
    const list = await listBundles(client, wallet, mostBundles);
    const missing = pendingBeyond(list);
    if (list.bundles.length === 0 && missing.length === 0 && !mayBeEmpty) {
      throw new CommandError(`The network has no ledger of the wallet ${wallet}: there is nothing to restore.`);
    }
    if (missing.length === 0) return;
    const entries = missing.reduce((sum, bundle) => sum + entriesIn(bundle), 0);
    if (abandonPending && performance.now() >= deadline) {
      return note(`Abandoned, because they are not mined: ${missing.length} bundles with ${entries} entries.`);
    }
    if (performance.now() >= deadline) {
      throw new CommandError(
        `${missing.length} bundles with ${entries} entries are posted but not mined yet. Run the restore again later, or ` +
          'with --abandon-pending --wait 0: their entries are then lost.',
      );
    }
    if (!noted) note(`Waiting until ${missing.length} posted bundles with ${entries} entries are mined.`);
    await sleep(POLL_MS);
  }
}

function pendingBeyond({ bundles, pending }: BundleList) {
  const mined = bundles.reduce((last, bundle) => (entriesIn(bundle) > 0 ? Math.max(last, bundle.lastSeq) : last), 0);
  return pending.filter((bundle) => entriesIn(bundle) > 0 && bundle.lastSeq > mined);
}

async function stoppedLines(
  client: ArweaveClient,
  wallet: string,
  findings: Findings,
  mostBundles: number | undefined,
): Promise<string[]> {
  const gap = findings.examples(Number.POSITIVE_INFINITY).find(({ kind }) => kind === 'GAP');
  const lines = ['The restore stopped, and nothing was written.', ...findingLines(findings)];
  if (gap === undefined || gap.seq === null) return lines;
  const { bundles } = await listBundles(client, wallet, mostBundles);
  const from = gap.seq;
  const behind = bundles.reduce((sum, bundle) => (bundle.firstSeq > from ? sum + entriesIn(bundle) : sum), 0);
  return [...lines, `${behind} entries follow the missing ones and cannot be restored without them.`];
}
