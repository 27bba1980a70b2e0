import type { ClientBase, Pool } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import type { Clock } from '../platform/db/clock.ts';
import { type Head, lockHeadAndFind } from './head.ts';
import type { HeadEvidence } from './head-evidence.ts';
import { isAfter, type Place, readRecordedHead, recordHead } from './head-record.ts';

/**
 * Detects a database that lost acknowledged operations, such as a standby that was promoted before it had received them.
 * On such a database the service would sign a second history. It compares the database with the last entry that this process
 * has seen, and with what sources outside have shown. Asking them is for others: nothing here waits for the network.
 */
export interface Fence {
  /**
   * Locks the head for the rest of the transaction and compares it, before the next entry is decided.
   * @param onLocked receives the milliseconds for which other transactions held the lock
   * @throws UNAVAILABLE
   */
  lockHead(client: ClientBase, clock?: Pick<Clock, 'observe'>, onLocked?: (waitedMs: number) => void): Promise<Head>;
  /** The head after a commit that the database acknowledged. */
  committed(head: Head): void;
  /** Compares the current head. Returns the problem, or null. @throws database errors */
  check(pool: Pick<Pool, 'query'>): Promise<string | null>;
  /** The seq of the latest entry that this process has seen in the database; 0 before the first one. */
  latestSeq(): number;
  /** Why the service refuses writes, and what to do; null if it accepts them. */
  problem(): string | null;
  /** What a source shows now; null if nothing. What the relayer signed stays until the database has it. */
  learn(source: string, evidence: HeadEvidence | null): void;
  /** Takes over a later entry from the record in DATA_DIR, or records a later one there. */
  record(): Promise<void>;
}

type HeadPlace = Pick<Head, 'epoch' | 'seq' | 'id'>;
type Entry = { readonly seq: number; readonly id: TransactionId };

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
  /** By source, what the database did not have when it was compared last. */
  const shown = new Map<string, HeadEvidence>();

  function raise({ epoch, seq, id }: HeadPlace): void {
    if (id !== null && (!latest || isAfter({ epoch, seq, id }, latest))) latest = { epoch, seq, id };
  }

  interface Comparison {
    readonly order: number;
    readonly expected: Place | null;
    readonly outside: readonly (readonly [source: string, evidence: HeadEvidence])[];
  }

  let begun = 0;
  let finished = 0;
  const begin = (): Comparison => ({ order: ++begun, expected: latest, outside: [...shown] });
  const seqsOutside = ({ outside }: Comparison): number[] => outside.map(([, { seq }]) => seq);

  function compare({ order, expected, outside }: Comparison, head: HeadPlace, there: readonly Entry[]): string | null {
    const idAt = (seq: number) => there.find((entry) => entry.seq === seq)?.id ?? null;
    let found = expected && problemOf(head, expected, idAt(expected.seq));
    for (const [source, evidence] of outside) {
      const contradiction = contradictionOf(head, source, evidence, idAt(evidence.seq));
      found ??= contradiction;
      if (!contradiction && shown.get(source) === evidence) shown.delete(source);
    }
    if (!found) raise(head);
    // A query that was sent earlier may be answered later, and then knows less.
    if (order < finished) return found;
    finished = order;
    if (found !== problem) onChange(found);
    problem = found;
    return found;
  }

  return {
    async lockHead(client, clock, onLocked) {
      const comparison = begin();
      const seq = comparison.expected?.seq ?? 0;
      const [{ head, idAtSeq }, there] = await Promise.all([
        lockHeadAndFind(client, seq, clock).then((locked) => {
          onLocked?.(locked.waitedMs);
          return locked;
        }),
        idsAt(client, seqsOutside(comparison)),
      ]);
      const expected = idAtSeq === null ? [] : [{ seq, id: idAtSeq }];
      if (compare(comparison, head, [...expected, ...there])) throw refusal('UNAVAILABLE', REFUSAL);
      return head;
    },
    committed: raise,
    async check(pool) {
      const comparison = begin();
      const { rows } = await pool.query<HeadPlace & { there: Entry[] }>({
        name: 'head-and-ids-at-seqs',
        text: `SELECT epoch, seq, id, (SELECT coalesce(json_agg(json_build_object('seq', seq, 'id', id)), '[]')
          FROM ledger_entries WHERE seq = ANY ($1::bigint[])) AS there FROM ledger_head`,
        values: [[comparison.expected?.seq ?? 0, ...seqsOutside(comparison)]],
      });
      return rows[0] ? compare(comparison, rows[0], rows[0].there) : problem;
    },
    latestSeq: () => latest?.seq ?? 0,
    problem: () => problem,
    learn(source, evidence) {
      const before = shown.get(source);
      if (before?.isSigned && !(evidence && isLater(evidence, before))) return;
      if (evidence) shown.set(source, evidence);
      else shown.delete(source);
    },
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

async function idsAt(client: Pick<ClientBase, 'query'>, seqs: readonly number[]): Promise<readonly Entry[]> {
  if (seqs.length === 0) return [];
  const { rows } = await client.query<Entry>({
    name: 'ids-at-seqs',
    text: 'SELECT seq, id FROM ledger_entries WHERE seq = ANY ($1::bigint[])',
    values: [seqs],
  });
  return rows;
}

const REFUSAL =
  'The database has lost operations, so none is accepted until the operator has restored it; try again later.';

const REMEDY =
  'No operation is accepted. If another server still has that entry, make DATABASE_URL name it. If none has, stop every process, run npm run restore -- --keep-private on this database, which keeps its health records, and start again.';

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

const isLater = (one: HeadEvidence, other: HeadEvidence): boolean =>
  one.isSigned && ((one.epoch ?? 0) > (other.epoch ?? 0) || (one.epoch === other.epoch && one.seq > other.seq));

/** Whether the database lacks what a source shows, or has another entry in its place. */
function contradictionOf(
  head: HeadPlace,
  source: string,
  { epoch, seq, id, shown }: HeadEvidence,
  idThere: string | null,
): string | null {
  if (epoch !== null && head.epoch > epoch) return null;
  const isBehind = head.seq < seq || (epoch !== null && head.epoch < epoch);
  if (!isBehind && (id === null || idThere === id)) return null;
  const database = isBehind
    ? `the database ends with entry ${head.seq} of epoch ${head.epoch}`
    : `the database has another entry in its place (${idThere})`;
  return `The ${source} shows ${shown}, but ${database}: acknowledged operations are lost. ${REMEDY}`;
}
