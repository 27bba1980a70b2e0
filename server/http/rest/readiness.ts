import type { z } from 'zod';
import type { readinessCheck, readinessState } from '../../../protocol/read-responses.ts';
import type { Config } from '../../config.ts';
import { readSharedBytes, shareLimits } from '../../features/shares/share-rows.ts';
import { readLargestStored, readStoredBytes, readYoungBytes, youngLimit } from '../../features/vault/stored-bytes.ts';
import { isOverBudget } from '../../ledger/budget.ts';
import { type Backlog, readBacklog } from '../../ledger/entries.ts';
import { readHead } from '../../ledger/head.ts';
import { pauseProblem, readPause } from '../../ledger/pause.ts';
import type { WitnessState } from '../../ledger/transparency/cosignatures.ts';
import { type Archiving, archivingProblem, readArchiving } from '../../platform/db/archiving.ts';
import type { BackupReport, Context } from '../context.ts';

export type Readiness = z.output<typeof readinessState>;
type Check = z.output<typeof readinessCheck>;

const DEADLINE_MS = 3_000;
const LATE_FACTOR = 10;
/** Above this share of the space, an operator should act. */
const NEARLY_FULL = 0.9;

/** The body of /ready. It contains no secrets. */
export async function readiness(context: Context): Promise<Readiness> {
  const { config, network, arweave } = context;
  const [
    head,
    backlog,
    pausedSince,
    archiving,
    stored,
    young,
    shared,
    largest,
    counted,
    height,
    balance,
    witnessStates,
  ] = await Promise.all([
    inTime(readHead(context.pool)),
    inTime(readBacklog(context.pool)),
    inTime(readPause(context.pool)),
    inTime(readArchiving(context.pool)),
    inTime(readStoredBytes(context.pool)),
    inTime(readYoungBytes(context.pool, context.now())),
    inTime(readSharedBytes(context.pool, context.now())),
    inTime(readLargestStored(context.pool)),
    inTime(context.limiter.charge('trpc_read', { key: 'readiness' })),
    inTime(arweave.height()),
    inTime(arweave.balance(network.walletAddress)),
    inTime(context.witnessStates()),
  ]);
  const isPaused = pausedSince !== null && !(pausedSince instanceof Error);
  const relayProblem = isPaused ? pauseProblem(pausedSince) : context.loops.state().problem;
  const database = checkOf(backlog instanceof Error ? 'The database is not reachable.' : null);
  const gateway = checkOf(height instanceof Error ? `The storage network is not reachable: ${height.message}` : null);
  const wallet = checkOf(walletProblem(balance, config.MAX_WINSTON_PER_BUNDLE));
  const waiting = checkOf(backlogProblem(backlog, config, relayProblem));
  const keyProblem = head instanceof Error ? null : context.relayer.problemWith(head.relayerPublicKey);
  const ledger = checkOf(context.fence.problem() ?? keyProblem);
  const limiter = checkOf(counted instanceof Error ? 'The store of the rate limiter is not reachable.' : null);
  const storage = checkOf(storageProblem({ stored, young, shared, largest }, config.MAX_STORED_BYTES));
  const mail = context.outbox && checkOf(context.outbox.problem());
  const backups = backupsOf(context.backups, archiving);
  const witnesses = witnessesOf(witnessStates, context.transparencyLog?.witnesses.length ?? 0);
  const acceptsWrites =
    !(head instanceof Error || backlog instanceof Error) && !isOverBudget(config, head, backlog.entries, context.now());
  const parts = {
    database,
    ledger,
    limiter,
    network: gateway,
    wallet,
    storage,
    backlog: waiting,
    ...(mail ? { mail } : {}),
    ...(backups ? { backups } : {}),
    ...(witnesses ? { witnesses } : {}),
  };
  const allOk = Object.values(parts).every(({ ok }) => ok);
  return {
    status: database.ok && ledger.ok && limiter.ok && acceptsWrites ? (allOk ? 'ready' : 'degraded') : 'unavailable',
    database,
    ledger: { ...ledger, unanswered: [...context.headQuestions.unanswered()] },
    limiter,
    ...(mail ? { mail } : {}),
    ...(backups ? { backups } : {}),
    ...(witnesses ? { witnesses } : {}),
    network: {
      ...gateway,
      kind: network.kind,
      permanent: network.kind === 'arweave',
      height: height instanceof Error ? null : height,
    },
    wallet: {
      ...wallet,
      address: network.walletAddress,
      balance_winston: balance instanceof Error ? null : balance.toString(),
    },
    storage: {
      ...storage,
      used_bytes: stored instanceof Error ? null : stored,
      max_bytes: config.MAX_STORED_BYTES,
    },
    backlog: {
      ...waiting,
      entries: backlog instanceof Error ? null : backlog.entries,
      oldest_seconds:
        backlog instanceof Error || backlog.oldestSeconds === null ? null : Math.round(backlog.oldestSeconds),
      max_entries: config.MAX_BACKLOG,
    },
  };
}

const checkOf = (problem: string | null): Check => (problem === null ? { ok: true } : { ok: false, problem });

/**
 * Of the service's own backups, or of a database that archives by itself. A database whose archive_mode is off may be copied
 * in another way; while it cannot be read, `database` says so.
 */
function backupsOf(own: BackupReport | null, archiving: Archiving | Error): Check | null {
  if (own) return checkOf(own.problem());
  if (archiving instanceof Error || !archiving.isOn) return null;
  return checkOf(archiving.failing ? archivingProblem(archiving) : null);
}

function witnessesOf(states: readonly WitnessState[] | Error, of: number): Readiness['witnesses'] | null {
  if (of === 0) return null;
  if (states instanceof Error) return { ...checkOf('The state of the witnesses cannot be read.'), cosigned: null, of };
  const problems = states.flatMap(({ name, problem }) => (problem === null ? [] : [`Witness ${name}: ${problem}`]));
  const cosigned = states.filter(({ hasNewest }) => hasNewest).length;
  return { ...checkOf(problems.length > 0 ? problems.join(' ') : null), cosigned, of };
}

function walletProblem(balance: bigint | Error, bundlePrice: bigint): string | null {
  if (balance instanceof Error) return 'The balance of the wallet cannot be read.';
  return balance < bundlePrice / 10n ? 'The wallet is nearly empty; operations queue until it is funded.' : null;
}

interface StoredNow {
  readonly stored: number | Error;
  readonly young: number | Error;
  /** Of shares, in all and by young identities. */
  readonly shared: { readonly all: number; readonly young: number } | Error;
  readonly largest: readonly { readonly id: string; readonly bytes: number }[] | Error;
}

/** Names who stores most only when that is a problem. The ids are public, and their bytes are those that they stored themselves. */
function storageProblem({ stored, young, shared, largest }: StoredNow, max: number): string | null {
  if (stored instanceof Error || young instanceof Error || shared instanceof Error || largest instanceof Error)
    return 'The number of stored bytes cannot be read.';
  const forShares = shareLimits(max);
  const problems = [
    stored / max < NEARLY_FULL
      ? null
      : `${Math.floor((100 * stored) / max)} % of the space for records is used; records are refused when it is full.`,
    young / youngLimit(max) < NEARLY_FULL
      ? null
      : `Identities and uncertified institutions in their first 30 days have used ${Math.floor((100 * young) / youngLimit(max))} % of their quarter of the space.`,
    shared.all / forShares.all < NEARLY_FULL
      ? null
      : `Shares have used ${Math.floor((100 * shared.all) / forShares.all)} % of their quarter of the space.`,
    shared.young / forShares.young < NEARLY_FULL
      ? null
      : `Shares of identities in their first 30 days have used ${Math.floor((100 * shared.young) / forShares.young)} % of their part of the space.`,
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return null;
  const names = largest.map(({ id, bytes }) => `${id} (${bytes} bytes)`);
  return `${problems.join(' ')} Most is stored by ${names.join(', ')}.`;
}

/**
 * The age of the oldest entry above which posting is late: ten times BUNDLE_MAX_AGE_MS, or halfway between it and
 * MAX_POSTING_DELAY_SECONDS if that is less, so that time to act is left.
 */
export function lateAfterSeconds(config: Pick<Config, 'BUNDLE_MAX_AGE_MS' | 'MAX_POSTING_DELAY_SECONDS'>): number {
  const seconds = config.BUNDLE_MAX_AGE_MS / 1000;
  return Math.min(LATE_FACTOR * seconds, (seconds + config.MAX_POSTING_DELAY_SECONDS) / 2);
}

function backlogProblem(
  backlog: Backlog | Error,
  config: Context['config'],
  relayProblem: string | null,
): string | null {
  if (backlog instanceof Error) return 'The backlog cannot be read.';
  const waited = backlog.oldestSeconds ?? 0;
  const late = waited > lateAfterSeconds(config);
  const full = backlog.entries >= config.MAX_BACKLOG;
  const problems = [
    relayProblem ?? (late ? `The oldest operation has waited ${Math.round(waited)} seconds for the network.` : null),
    full ? 'The backlog is full; operations beyond the daily byte budget are refused.' : null,
  ].filter((problem) => problem !== null);
  return problems.length > 0 ? problems.join(' ') : null;
}

async function inTime<Value>(work: Promise<Value>): Promise<Value | Error> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new Error('no response in time')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}
