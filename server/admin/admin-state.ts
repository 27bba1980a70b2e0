import type { Context } from '../http/context.ts';
import { type Readiness, readiness as readReadiness } from '../http/rest/readiness.ts';
import { readPause } from '../ledger/pause.ts';
import { daysLeft, pricePerOperation, readSpending, SPENDING_DAYS } from '../ledger/spending.ts';
import type { Problem } from '../platform/observe/log.ts';
import type { ProcessReports, ProcessState } from './process-state.ts';

/** What the admin page shows, and the body of /state.json. Times are ISO 8601. */
export interface AdminState {
  readonly service: string;
  readonly version: string;
  readonly url: string;
  readonly at: string;
  readonly readiness: Readiness;
  readonly posting: {
    /** Null if posting is not paused, or the database does not answer. */
    readonly paused_since: string | null;
    /** The process that relays; null if none of this service does. */
    readonly leader_pid: number | null;
    readonly last_posted_at: string | null;
    /** When the oldest operation that waits must be in a block; null if none waits. */
    readonly due_at: string | null;
  };
  /** Null while the database or the gateway does not answer. */
  readonly spending: {
    readonly days: number;
    readonly winston: string;
    readonly winston_per_operation: number | null;
    /** Null if nothing was spent. */
    readonly days_left: number | null;
  } | null;
  readonly processes: readonly Omit<ProcessState, 'problems'>[];
  /** The ids of processes that do not answer. */
  readonly silent_processes: readonly number[];
  /** Of all processes, newest first. */
  readonly problems: readonly (Problem & { readonly pid: number })[];
}

/** Everything that the page shows of a service with these processes. Parts that do not answer are null. */
export async function readAdminState(
  context: Context,
  everyProcess: () => Promise<ProcessReports>,
): Promise<AdminState> {
  const { config, pool } = context;
  // Not the shared one: the page shows at once what a button has changed.
  const known = readReadiness(context);
  const [readiness, { answered: processes, silent, parent }, pausedSince, lastPostedAt, spending] = await Promise.all([
    known,
    everyProcess(),
    orNull(() => readPause(pool)),
    orNull(() => readLastPosted(context)),
    orNull(async () => spendingOf(await readSpending(pool, SPENDING_DAYS), (await known).wallet.balance_winston)),
  ]);
  const { oldest_seconds: waited } = readiness.backlog;
  const now = context.now();
  return {
    service: config.SERVICE_NAME,
    version: config.VERSION,
    url: context.publicUrl(),
    at: new Date(now).toISOString(),
    readiness,
    posting: {
      paused_since: pausedSince,
      leader_pid: processes.find(({ leads }) => leads)?.pid ?? null,
      last_posted_at: lastPostedAt,
      due_at: waited === null ? null : new Date(now + (context.maxPostingDelaySeconds - waited) * 1_000).toISOString(),
    },
    spending,
    processes: processes.map(({ problems: _, ...state }) => state),
    silent_processes: silent,
    problems: [...processes, ...(parent ? [parent] : [])]
      .flatMap(({ pid, problems }) => problems.map((problem) => ({ ...problem, pid })))
      .sort((one, other) => other.at.localeCompare(one.at)),
  };
}

function spendingOf(spending: Awaited<ReturnType<typeof readSpending>>, balance: string | null) {
  const left = balance === null ? Number.POSITIVE_INFINITY : daysLeft(BigInt(balance), spending);
  return {
    days: spending.days,
    winston: spending.winston.toString(),
    winston_per_operation: pricePerOperation(spending),
    days_left: Number.isFinite(left) ? left : null,
  };
}

async function readLastPosted({ pool }: Context): Promise<string | null> {
  const { rows } = await pool.query<{ posted_at: string | null }>(
    'SELECT posted_at FROM bundles WHERE posted_at IS NOT NULL ORDER BY first_seq DESC LIMIT 1',
  );
  return rows[0]?.posted_at ?? null;
}

const DEADLINE_MS = 3_000;

/** A database that hangs must not hold up the page, which reports that very fact. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS, null);
  });
  return Promise.race([read().catch(() => null), late]).finally(() => clearTimeout(timer));
}
