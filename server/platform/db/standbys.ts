import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createPool } from './pool.ts';

const SAMPLE_MS = 250;
/** A standby that did not answer a sample for this long is not used. */
const SILENT_MS = 2_000;
/** A round of samples does not wait longer for the primary. */
const PRIMARY_MS = 500;
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
  /** Whether it answers, follows the primary, and lags less than the bound. */
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
  /** Receives why a standby is not used, as a sentence, or null if it is: first after its first samples, then when that changes. */
  readonly onChange: (standby: string, problem: string | null) => void;
}

/** A place in the write-ahead log (bytes), and the last entry there. */
interface Place {
  readonly lsn: number;
  readonly epoch: number;
  readonly seq: number;
}

/** The primary's place at a time of performance.now(). */
type Written = Place & { readonly at: number };

interface Sample extends Place {
  readonly id: string | null;
  readonly at: number;
  /** Why this server is none of the ledger's standbys, whatever the primary has; null if it can be one. */
  readonly problem: string | null;
}

/** What the primary has. */
interface Primary extends Written {
  /** The ids of the entries that were asked for, by seq. */
  readonly ids: ReadonlyMap<number, string>;
}

/** Opens pools to standbys and samples how far each has replayed. */
export function openStandbys(urls: readonly string[], options: Options): Standbys {
  const stopping = new AbortController();
  let written: readonly Written[] = [];
  const lagBehind = (place: Place): number => {
    const missing = written.find((each) => isBehind(place, each));
    return missing ? performance.now() - missing.at : 0;
  };
  const opened = urls.map((url) => openStandby(url, options, lagBehind));
  let primary: Primary | null = null;
  let asking: Promise<Primary | null> | null = null;

  async function sampleAll(): Promise<void> {
    await Promise.all(opened.map(({ sample }) => sample()));
    // Only now, so that a standby that follows at once does not count as behind until its next sample.
    if (primary) written = withPlace(written, primary).slice(-Math.ceil((2 * options.maxLagMs) / SAMPLE_MS));
    const seqs = opened.map(({ standby }) => standby.seq());
    // A primary that hangs is asked once.
    asking ??= readPrimary(options.primary, seqs).finally(() => {
      asking = null;
    });
    primary = await Promise.race([asking, sleep(PRIMARY_MS, null, { ref: false })]);
    for (const { compare } of opened) compare(primary);
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

/** Adds where the primary is. What it does not have decides nothing: another server was promoted, or it was restored. */
function withPlace(written: readonly Written[], primary: Written): readonly Written[] {
  const kept = written.filter((each) => !isBehind(primary, each));
  const newest = kept.at(-1);
  return newest && !isBehind(newest, primary) ? kept : [...kept, primary];
}

const isBehind = (one: Place, other: Place): boolean =>
  one.lsn < other.lsn || one.epoch < other.epoch || (one.epoch === other.epoch && one.seq < other.seq);

function openStandby(url: string, { ledgerId, maxLagMs, onChange }: Options, lagBehind: (place: Place) => number) {
  // Its samples report a standby that fails.
  const ignore = () => undefined;
  const pool = createPool(url, POOL_SIZE, ignore, { statementMs: STATEMENT_MS, planOnce: true });
  const listPool = createPool(url, LIST_POOL_SIZE, ignore, { statementMs: LIST_STATEMENT_MS });
  const probe = createPool(url, 1, ignore, { statementMs: SILENT_MS });
  const name = new URL(url).host;
  let last: Sample | null = null;
  /** The code of the error of the last sample, in brackets; empty if it took too long. */
  let failure = '';
  /** The seq of the sample that was compared last. */
  let comparedSeq = 0;
  let difference: string | null = 'It was not compared with the primary yet.';
  let reported: string | null | undefined;

  const isSilent = (): boolean => !last || performance.now() - last.at > SILENT_MS;

  function problem(): string | null {
    if (!last || isSilent()) return `It does not answer${failure}.`;
    const lags = lagBehind(last) > maxLagMs;
    return last.problem ?? difference ?? (lags ? 'It lags more than DATABASE_READ_MAX_LAG_MS.' : null);
  }

  const standby: Standby = {
    name,
    pool,
    listPool,
    seq: () => last?.seq ?? 0,
    lagMs: () => (last && !isSilent() ? lagBehind(last) : Number.NaN),
    isUsable: () => problem() === null,
  };

  async function sample(): Promise<void> {
    // A standby that does not answer must not delay the samples of the others.
    const taken = take().catch((error: { code?: unknown }) => {
      failure = typeof error.code === 'string' ? ` (${error.code})` : '';
      last = null;
    });
    await Promise.race([taken, sleep(SILENT_MS, undefined, { ref: false })]);
  }

  let taking: Promise<void> | null = null;
  function take(): Promise<void> {
    taking ??= readSample(probe, ledgerId)
      .then((read) => {
        last = read;
        failure = '';
      })
      .finally(() => {
        taking = null;
      });
    return taking;
  }

  /** Compares the last sample with what the primary has now. Without an answer of the primary the last result stays. */
  function compare(primary: Primary | null): void {
    if (primary && last) {
      const id = last.id === null ? null : primary.ids.get(last.seq);
      // A standby may show an entry a moment before the primary does, but not for longer: the next comparison decides.
      if (primary.seq < comparedSeq) difference = otherTimeline(`has entry ${comparedSeq}, which is not on`);
      else if (id === last.id) difference = null;
      else if (id !== undefined) difference = otherTimeline(`has another entry ${last.seq} than`);
      comparedSeq = last.seq;
    }
    const found = problem();
    if (found !== reported) onChange(name, found);
    reported = found;
  }

  return { standby, sample, compare, close: () => Promise.all([pool.end(), listPool.end(), probe.end()]) };
}

const otherTimeline = (what: string): string =>
  `It ${what} the primary: it followed another server, and must be built again from the primary.`;

/** The position is read first, so that it is never ahead of what the head shows. */
const SAMPLE = `WITH place AS MATERIALIZED (SELECT pg_is_in_recovery() AS is_standby, pg_last_wal_replay_lsn()::text AS lsn)
  SELECT is_standby, lsn, ledger_id, epoch, seq, id FROM place LEFT JOIN ledger_head ON true`;

async function readSample(probe: Pool, ledgerId: string): Promise<Sample> {
  const { rows } = await probe.query<{
    is_standby: boolean;
    lsn: string | null;
    ledger_id: string | null;
    epoch: number | null;
    seq: number | null;
    id: string | null;
  }>(SAMPLE);
  const [row] = rows;
  const problem = !row?.is_standby
    ? 'It is a primary, not a standby.'
    : row.ledger_id !== ledgerId
      ? 'It does not have this ledger.'
      : null;
  const { lsn, epoch, seq, id = null } = row ?? {};
  return { lsn: lsnOf(lsn ?? '0/0'), epoch: epoch ?? 0, seq: seq ?? 0, id, at: performance.now(), problem };
}

/** Null if the primary does not answer, or has no ledger. */
async function readPrimary(primary: Pool, seqs: readonly number[]): Promise<Primary | null> {
  const at = performance.now();
  const { rows } = await primary
    .query<{ lsn: string; epoch: number; seq: number; there: { seq: number; id: string }[] }>({
      name: 'place-and-ids-at-seqs',
      text: `SELECT pg_current_wal_lsn()::text AS lsn, epoch, seq,
          (SELECT coalesce(json_agg(json_build_object('seq', seq, 'id', id)), '[]') FROM ledger_entries WHERE seq = ANY ($1::bigint[])) AS there
        FROM ledger_head`,
      values: [seqs],
    })
    .catch(() => ({ rows: [] }));
  const [row] = rows;
  if (!row) return null;
  const ids = new Map(row.there.map(({ seq, id }) => [seq, id]));
  return { lsn: lsnOf(row.lsn), epoch: row.epoch, seq: row.seq, at, ids };
}

/** Bytes; `16/B374D848` is a number of at most 2^53 on every real server. */
function lsnOf(text: string): number {
  const [high = '', low = ''] = text.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}
