import pg from 'pg';
import { refusal } from '../../../protocol/errors.ts';
import { clientsOf } from './follow-primary.ts';
import { watchNames } from './statement-names.ts';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return isoTime;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** A time in UTC with up to six digits after the seconds, as PostgreSQL writes it: see IN_UTC. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** ISO 8601 with milliseconds. Every row has several times, and a Date for each would cost more than the rest of the row. */
export function isoTime(text: string): string {
  const [, day, time, fraction = ''] = UTC_TIME.exec(text) ?? [];
  if (day === undefined) return new Date(text).toISOString();
  return `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** The server cancels a statement after this time, because no request waits longer. */
const STATEMENT_MS = 20_000;
/** A request waits no longer for a connection. */
const CONNECT_MS = 3_000;
/** Additional time after which the client drops a connection on which the cancellation does not arrive. */
const CANCELLATION_MS = 5_000;

/** For commands that read whole tables: migration, restore, audit. They have no time limit, and wait for a busy machine. */
export const LONG_RUNNING = { connectMs: 60_000, statementMs: 0, scans: true };

/**
 * A pool whose connections pipeline queries and read bigint as number and timestamptz as ISO 8601. A lost connection is
 * replaced at its next use. If the URL names several hosts, it connects to the current primary. A statement name has the same text on all connections.
 * @param connectMs after which a query fails for which no connection is free or can be opened
 * @param inOrder prefers index order to sorting, for pages of long lists
 * @param idleInTransactionMs after which the server ends an idle transaction and releases its locks; 0 disables it
 * @param planOnce plans a prepared statement once per connection: for short statements, whose plan does not depend on the values
 * @param scans lets the planner read whole tables; otherwise only if there is no index
 * @param statementMs after which the server cancels a statement; 0 disables it
 */
export function createPool(
  url: string,
  max: number,
  onLost: (error: Error) => void,
  {
    connectMs = CONNECT_MS,
    idleInTransactionMs = 0,
    inOrder = false,
    planOnce = false,
    scans = false,
    statementMs = STATEMENT_MS,
  }: {
    connectMs?: number | undefined;
    idleInTransactionMs?: number;
    inOrder?: boolean;
    planOnce?: boolean;
    scans?: boolean;
    statementMs?: number;
  } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...clientsOf(url),
    max,
    types,
    pipeline: true,
    application_name: 'perpetua',
    connectionTimeoutMillis: connectMs,
    ...(statementMs > 0 && { query_timeout: statementMs + CANCELLATION_MS }),
    idleTimeoutMillis: 0,
    keepAlive: true,
  } as pg.PoolConfig);
  const settings = [
    ...DETECT_LOST_CLIENTS,
    IN_UTC,
    `idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    `statement_timeout = ${statementMs}`,
    ...(scans ? [] : USE_INDEXES),
    ...(planOnce ? PLAN_ONCE : []),
    ...(inOrder ? READ_IN_ORDER : []),
  ];
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    client.on('error', onLost);
    watchNames(client);
    client.query(settings.map((setting) => `SET ${setting}`).join('; ')).catch(onLost);
  });
  return pool;
}

const STARTING_MS = 60_000;

/** Opens the first connection of a pool, which then stays. A machine that has just started may be too busy for `connectMs`. */
export async function openFirst(pool: pg.Pool): Promise<void> {
  const begun = performance.now();
  for (;;) {
    try {
      (await pool.connect()).release();
      return;
    } catch (error) {
      if (!TIMED_OUT.test(String(error)) || performance.now() - begun > STARTING_MS) throw error;
    }
  }
}

/** The server detects a lost client within half a minute and releases its locks. */
const DETECT_LOST_CLIENTS = ['tcp_keepalives_idle = 15', 'tcp_keepalives_interval = 5', 'tcp_keepalives_count = 3'];
/** Timestamps without an offset are in UTC. */
const IN_UTC = "TimeZone = 'UTC'";

/**
 * The plan of a prepared statement stays while its table grows: one for a table of one page would scan the whole table
 * until statistics are updated. (Before PostgreSQL 18 the cost estimate of a forced scan would also trigger the JIT.)
 */
const USE_INDEXES = ['enable_seqscan = off', 'jit = off'];
/** Otherwise PostgreSQL plans a batched read anew at each use, because it expects shorter arrays to cost less. */
const PLAN_ONCE = ['plan_cache_mode = force_generic_plan'];

/** For pages of long lists: without statistics the planner believes that they are short and sorts them. */
const READ_IN_ORDER = ['enable_sort = off', 'enable_bitmapscan = off'];

/** Whether the role of a pool is a superuser, who also has access to the machine. */
export async function isSuperuser(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>(
    'SELECT rolsuper AS is FROM pg_roles WHERE rolname = current_user',
  );
  return rows[0]?.is === true;
}

/** Runs `work`. An unreachable or slow database becomes UNAVAILABLE; other errors are rethrown. */
export async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isCanceledStatement(error))
      throw refusal('UNAVAILABLE', 'The database took too long to respond; try again shortly.');
    if (isConnectionLoss(error))
      throw refusal('UNAVAILABLE', 'The database is not reachable at the moment; try again shortly.');
    throw error;
  }
}

/** SQLSTATE query_canceled: statement_timeout. */
const isCanceledStatement = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014';

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const TIMED_OUT =
  /timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout/;
const LOST_MESSAGE =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable|Client has encountered a connection error|Cannot use a pool after/;

/**
 * SQLSTATE class 08 (connection), 57 (shutdown or canceled statement), 53 (insufficient resources), 25006 (read-only
 * standby), 25P03 (idle in transaction), or a socket error.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  // The socket file of a stopped server does not exist.
  if (code === 'ENOENT') return (error as { syscall?: unknown }).syscall === 'connect';
  if (SOCKET_ERRORS.has(code) || /^(08|57|53)/.test(code) || code === '25006' || code === '25P03') return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  return LOST_MESSAGE.test(error.message);
}
