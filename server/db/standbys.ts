import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createPool } from './pool.ts';

const SAMPLE_MS = 250;
/** A standby that did not answer a sample for this long is not used. */
const SILENT_MS = 2_000;
const POOL_SIZE = 8;
const LIST_POOL_SIZE = 4;
const STATEMENT_MS = 2_000;
const LIST_STATEMENT_MS = 1_000;

/** A hot standby as it was last sampled. */
export interface Standby {
  /** Its host and port. */
  readonly name: string;
  readonly pool: Pool;
  /** For public lists. */
  readonly listPool: Pool;
  /** The seq of the last entry that it has replayed. */
  seq(): number;
  /** How long the primary has been ahead of it, in ms; NaN while it does not answer. */
  lagMs(): number;
  /** Whether it answers, belongs to this ledger, and lags less than the bound. */
  isUsable(): boolean;
}

export interface Standbys {
  readonly all: readonly Standby[];
  stop(): Promise<void>;
}

interface Options {
  readonly primary: Pool;
  readonly ledgerId: string;
  readonly maxLagMs: number;
  readonly onChange: (standby: string, isUsable: boolean) => void;
}

/** The end of the primary's write-ahead log at a time of performance.now(). */
interface Written {
  readonly lsn: number;
  readonly at: number;
}

/** Opens pools to standbys and samples how far each has replayed. */
export function openStandbys(urls: readonly string[], options: Options): Standbys {
  const stopping = new AbortController();
  let written: readonly Written[] = [];
  const lagBehind = (lsn: number): number => {
    const missing = written.find((each) => each.lsn > lsn);
    return missing ? performance.now() - missing.at : 0;
  };
  const opened = urls.map((url) => openStandby(url, options, lagBehind));

  async function sampleAll(): Promise<void> {
    const lsn = await readLsn(options.primary).catch(() => null);
    const at = performance.now();
    if (lsn !== null && lsn !== written.at(-1)?.lsn)
      written = [...written.filter((each) => each.lsn < lsn), { lsn, at }];
    await Promise.all(opened.map(({ sample }) => sample()));
    // A sample that every standby has replayed, or that is older than the bound, decides nothing any more.
    written = written.slice(-Math.ceil((2 * options.maxLagMs) / SAMPLE_MS));
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sampleAll();
      await sleep(SAMPLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const sampling = urls.length > 0 ? repeat() : Promise.resolve();
  return {
    all: opened.map(({ standby }) => standby),
    async stop() {
      stopping.abort();
      await sampling;
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

function openStandby(url: string, { ledgerId, maxLagMs, onChange }: Options, lagBehind: (lsn: number) => number) {
  // Its samples report a standby that fails.
  const ignore = () => undefined;
  const pool = createPool(url, POOL_SIZE, ignore, { statementMs: STATEMENT_MS });
  const listPool = createPool(url, LIST_POOL_SIZE, ignore, { statementMs: LIST_STATEMENT_MS });
  const probe = createPool(url, 1, ignore, { statementMs: SILENT_MS });
  const name = new URL(url).host;
  let last: { readonly seq: number; readonly lsn: number; readonly at: number } | null = null;
  let wasUsable: boolean | null = null;

  const isUsable = (): boolean => {
    if (!last || performance.now() - last.at > SILENT_MS) return false;
    return lagBehind(last.lsn) <= maxLagMs;
  };

  const standby: Standby = {
    name,
    pool,
    listPool,
    seq: () => last?.seq ?? 0,
    lagMs: () => (last && performance.now() - last.at <= SILENT_MS ? lagBehind(last.lsn) : Number.NaN),
    isUsable,
  };

  async function sample(): Promise<void> {
    // A standby that does not answer must not delay the samples of the others.
    const taken = take().catch(() => {
      last = null;
    });
    await Promise.race([taken, sleep(SILENT_MS, undefined, { ref: false })]);
    const usable = isUsable();
    if (usable !== wasUsable) onChange(name, usable);
    wasUsable = usable;
  }

  let taking: Promise<void> | null = null;
  function take(): Promise<void> {
    taking ??= readSample().finally(() => {
      taking = null;
    });
    return taking;
  }

  async function readSample(): Promise<void> {
    const { rows } = await probe.query<{ seq: number; ledger_id: string; lsn: string | null }>(SAMPLE);
    const [row] = rows;
    last = row?.lsn && row.ledger_id === ledgerId ? { seq: row.seq, lsn: lsnOf(row.lsn), at: performance.now() } : null;
  }

  return { standby, sample, close: () => Promise.all([pool.end(), listPool.end(), probe.end()]) };
}

/** The position is read first, so that it is never ahead of what the head shows. */
const SAMPLE = `WITH place AS MATERIALIZED (
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS lsn)
  SELECT lsn, seq, ledger_id FROM place, ledger_head`;

async function readLsn(primary: Pool): Promise<number | null> {
  const { rows } = await primary.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
  return rows[0] ? lsnOf(rows[0].lsn) : null;
}

/** Bytes; `16/B374D848` is a number of at most 2^53 on every real server. */
function lsnOf(text: string): number {
  const [high = '', low = ''] = text.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}
