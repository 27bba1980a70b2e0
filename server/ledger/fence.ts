import type { ClientBase, Pool } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import type { Head } from './head.ts';
import { isAfter, type Place, readRecordedHead, recordHead } from './head-record.ts';

/**
 * Detects a database that lost acknowledged operations, such as a standby that was promoted before it had received them.
 * On such a database the service would sign a second history.
 */
export interface Fence {
  /** Compares the head that `client` has locked. Call it before the next entry is decided. @throws UNAVAILABLE */
  admit(client: Pick<ClientBase, 'query'>, locked: Promise<Head>): Promise<void>;
  /** The head after a commit that the database acknowledged. */
  committed(head: Head): void;
  /** Compares the current head. Returns the problem, or null. @throws database errors */
  check(pool: Pick<Pool, 'query'>): Promise<string | null>;
  /** The seq of the latest entry that this process has seen in the database; 0 before the first one. */
  latestSeq(): number;
  /** Why the service refuses writes, and what to do; null if it accepts them. */
  problem(): string | null;
  /** Takes over a later entry from the record in DATA_DIR, or records a later one there. */
  record(): Promise<void>;
}

type HeadPlace = Pick<Head, 'epoch' | 'seq' | 'id'>;

/**
 * Begins with the record in DATA_DIR.
 * @param onChange receives each new problem, and null when there is none any more
 */
export async function openFence(
  dataDir: string,
  ledgerId: LedgerId,
  onChange: (problem: string | null) => void,
): Promise<Fence> {
  let recorded = await readRecordedHead(dataDir, ledgerId);
  let latest = recorded;
  let problem: string | null = null;

  function raise({ epoch, seq, id }: HeadPlace): void {
    if (id !== null && (!latest || isAfter({ epoch, seq, id }, latest))) latest = { epoch, seq, id };
  }

  interface Comparison {
    readonly order: number;
    readonly expected: Place | null;
  }

  let begun = 0;
  let finished = 0;
  const begin = (): Comparison => ({ order: ++begun, expected: latest });

  function compare({ order, expected }: Comparison, head: HeadPlace, idThere: string | null): string | null {
    const found = expected && problemOf(head, expected, idThere);
    if (!found) raise(head);
    // A query that was sent earlier may be answered later, and then knows less.
    if (order < finished) return found;
    finished = order;
    if (found !== problem) onChange(found);
    problem = found;
    return found;
  }

  return {
    async admit(client, locked) {
      const comparison = begin();
      const [head, { rows }] = await Promise.all([
        locked,
        client.query<{ id: TransactionId }>({
          name: 'id-at-seq',
          text: 'SELECT id FROM ledger_entries WHERE seq = $1',
          values: [comparison.expected?.seq ?? 0],
        }),
      ]);
      if (compare(comparison, head, rows[0]?.id ?? null)) throw refusal('UNAVAILABLE', REFUSAL);
    },
    committed: raise,
    async check(pool) {
      const comparison = begin();
      const { rows } = await pool.query<HeadPlace & { id_there: string | null }>({
        name: 'head-and-id-at-seq',
        text: `SELECT epoch, seq, id, (SELECT id FROM ledger_entries WHERE seq = $1) AS id_there FROM ledger_head`,
        values: [comparison.expected?.seq ?? 0],
      });
      return rows[0] ? compare(comparison, rows[0], rows[0].id_there) : problem;
    },
    latestSeq: () => latest?.seq ?? 0,
    problem: () => problem,
    async record() {
      const found = await readRecordedHead(dataDir, ledgerId);
      if (found) raise(found);
      if (!latest || latest === recorded || (found && !isAfter(latest, found))) return;
      const place = latest;
      await recordHead(dataDir, ledgerId, place);
      recorded = place;
    },
  };
}

const REFUSAL =
  'The database has lost operations, so none is accepted until the operator has restored it; try again later.';

const REMEDY =
  'No operation is accepted. If another server still has that entry, make DATABASE_URL name it. If none has, stop every process, run npm run restore into an empty database, and start on that one.';

/** A later epoch was begun by a restore, which is what resolves a loss. */
function problemOf(head: HeadPlace, latest: Place, idAtLatest: string | null): string | null {
  if (head.epoch > latest.epoch) return null;
  const place = `entry ${latest.seq} of epoch ${latest.epoch} (${latest.id})`;
  if (head.epoch < latest.epoch || head.seq < latest.seq) {
    return `The database ends with entry ${head.seq} of epoch ${head.epoch}, but this service has seen ${place} in it: acknowledged operations are lost. ${REMEDY}`;
  }
  if (idAtLatest === latest.id) return null;
  return `This service has seen ${place} in the database, which now has another entry in its place: acknowledged operations are lost. ${REMEDY}`;
}
