import type { Pool, PoolClient } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { Ans104Error } from '../../protocol/ledger/item-tags.ts';
import { ROTATE_RELAYER_KEY, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { settleRevocations } from '../../server/entities/settle-revocations.ts';
import { encodeBundle, parseItem } from '../../server/ledger/ans104.ts';
import { headAfter, moveHead } from '../../server/ledger/append.ts';
import { type Head, readHead } from '../../server/ledger/head.ts';
import { keyItemsUpTo } from '../../server/ledger/key-entries.ts';
import type { SignedHead } from '../../server/ledger/read.ts';
import { runAll } from '../../server/platform/db/statement.ts';
import { inTransaction } from '../../server/platform/db/transaction.ts';
import { type ChainEnd, misplacedEpoch } from '../audit/chain-order.ts';
import type { CheckedEntry, Placed } from '../audit/checked.ts';
import type { Checkers } from '../audit/checkers.ts';
import { createFindings, type Finding, type FindingKind } from '../audit/findings.ts';
import { createRelayerKeys } from '../audit/relayer-keys.ts';
import { createReplay, type ReplayPoint } from '../audit/replay.ts';
import { insertPlaced } from '../audit/restore-rows.ts';
import type { EvidenceKind } from './evidence.ts';
import { loadState } from './stored-state.ts';

/** What the relayer signed and should not have. */
export interface Breach {
  readonly kind: EvidenceKind;
  readonly sentence: string;
  readonly finding: FindingKind | null;
  readonly items: readonly Uint8Array[];
  readonly heads: readonly SignedHead[];
  /** Signed notes of the log. */
  readonly checkpoints: readonly string[];
}

/**
 * `faulty`: the source sent what the relayer has not signed, or not in order. It is not stored, and proves nothing: anyone between the
 * source and the mirror could have changed it.
 */
export type Outcome =
  | { readonly kind: 'added'; readonly count: number }
  | { readonly kind: 'faulty'; readonly sentence: string }
  /** An entry of a later epoch does not continue the stored ones; where that epoch began shows why. */
  | { readonly kind: 'diverged'; readonly sentence: string }
  | { readonly kind: 'breach'; readonly breach: Breach };

export interface Item {
  readonly id: string;
  readonly item: Buffer;
}

/** Checks entries and stores those that continue the ledger, with the state that follows from them. */
export interface Verifier {
  /** The last verified entry. */
  end(): ChainEnd | null;
  /** Adds entries in their order. Those that are stored already are compared. */
  add(items: readonly Item[]): Promise<Outcome>;
  /** The keys that the relayer has had. */
  keys(): Succession;
}

/** A later version may have more operations. */
const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set(OPERATIONS.map((operation) => operation.function));

interface Parts {
  readonly pool: Pool;
  readonly checkers: Checkers;
}

export async function openVerifier({ pool, checkers }: Parts): Promise<Verifier> {
  let head = await readHead(pool);
  let point = await readPoint(pool);
  const keyFindings = createFindings();
  const keys = createRelayerKeys(checkers.rules, keyFindings);
  for (const { item } of await keyItemsUpTo(pool, head.ledgerId, head.seq)) {
    const [checked] = (await checkers.check(bundleOf([{ item }]))).items;
    if (checked?.entry) keys.follow(checked.entry);
  }

  const endOf = ({ epoch, seq, id, acceptedAt }: Head): ChainEnd | null =>
    id === null || acceptedAt === null ? null : { epoch, seq, id, acceptedAt };

  async function add(given: readonly Item[]): Promise<Outcome> {
    const items = await withoutStored(given);
    if (items.length === 0) return { kind: 'added', count: 0 };
    let checked: Awaited<ReturnType<Checkers['check']>>;
    try {
      checked = await checkers.check(encodeBundle(items.map(({ id, item }) => ({ id, bytes: item }))));
    } catch (error) {
      if (!(error instanceof Ans104Error)) throw error;
      return faulty(`The source sends bytes that are not a data item: ${error.message}`);
    }
    if (checked.unreadable !== null)
      return faulty(`The source sends bytes that are not data items: ${checked.unreadable}`);
    const placed: Placed[] = [];
    let end = endOf(head);
    let problem: Outcome | null = null;
    for (const { id, start, end: stop, genuine, entry, problems } of checked.items) {
      const item = Buffer.from(checked.bytes.buffer, checked.bytes.byteOffset + start, stop - start);
      if (!genuine || !entry || !keys.isRelayers(entry)) {
        problem = faulty(`The source sends ${id}, which the relayer of this ledger has not signed.`);
        break;
      }
      const isUnknown = problems.some(({ kind }) => kind === 'UNKNOWN_FUNCTION');
      if (isUnknown && !KNOWN_FUNCTIONS.has(entry.functionName)) {
        problem = faulty(`Entry ${entry.seq} is of an operation that this version does not know: update the mirror.`);
        break;
      }
      const [first] = problems;
      problem = first
        ? breach('entry', first.sentence, [item], first.kind)
        : await placeProblem(entry, item, end, placed);
      if (problem) break;
      if (entry.seq <= (end?.seq ?? 0)) continue;
      keys.follow(entry);
      const [wrongKey] = keyFindings.examples(1);
      if (wrongKey) {
        problem = breach('state', wrongKey.sentence, [item], wrongKey.kind);
        break;
      }
      placed.push({ entry, item });
      end = { epoch: entry.epoch, seq: entry.seq, id: entry.id, acceptedAt: entry.acceptedAt };
    }
    const refused = await store(placed);
    return refused ?? problem ?? { kind: 'added', count: placed.length };
  }

  /** The stream and the network have the same entries: those that are stored were checked before. */
  async function withoutStored(items: readonly Item[]): Promise<readonly Item[]> {
    const { rows } = await pool.query<{ id: string; item: Buffer }>({
      name: 'mirror-stored-items',
      text: 'SELECT id, item FROM ledger_entries WHERE id = ANY ($1::text[])',
      values: [items.map(({ id }) => id)],
    });
    const stored = new Map(rows.map(({ id, item }) => [id, item]));
    return items.filter(({ id, item }) => !stored.get(id)?.equals(item));
  }

  /** Why the entry is not the next one; null if it is, or if it is stored already. */
  async function placeProblem(
    entry: CheckedEntry,
    item: Buffer,
    end: ChainEnd | null,
    placed: readonly Placed[],
  ): Promise<Outcome | null> {
    if (entry.seq > (end?.seq ?? 0) + 1) {
      return faulty(`The source sends entry ${entry.seq} after entry ${end?.seq ?? 0}.`);
    }
    const rivalSeq = Math.min(entry.seq, end?.seq ?? 0);
    const rival = placed.find((other) => other.entry.seq === rivalSeq) ?? (await storedAt(rivalSeq));
    if (entry.seq <= (end?.seq ?? 0)) {
      if (!rival || rival.entry.id === entry.id) return null;
      if (rival.entry.epoch === entry.epoch) {
        return breach('equivocation', `The relayer signed two entries for epoch ${entry.epoch}, seq ${entry.seq}.`, [
          rival.item,
          item,
        ]);
      }
      if (entry.epoch < rival.entry.epoch) return null;
      if (entry.functionName === BEGIN_EPOCH) return abandoned(rival, item, entry);
      return diverged(entry, rival.entry.epoch);
    }
    if (end && rival && entry.prev !== end.id) {
      if (entry.epoch < end.epoch)
        return faulty(`The source sends entry ${entry.seq} of epoch ${entry.epoch}, which has ended.`);
      if (entry.epoch > end.epoch)
        return entry.functionName === BEGIN_EPOCH ? abandoned(rival, item, entry) : diverged(entry, end.epoch);
      if (entry.functionName !== BEGIN_EPOCH) {
        return breach('fork', `Entry ${entry.seq} names ${entry.prev} as its predecessor, which is ${end.id}.`, [
          rival.item,
          item,
        ]);
      }
    }
    if (!end && entry.prev !== null) return faulty(`The first entry names ${entry.prev} as its predecessor.`);
    const epochProblem = misplacedEpoch(entry, end, false);
    if (epochProblem) return breach('state', epochProblem, [item], 'EPOCH');
    if (end && rival && entry.acceptedAt < end.acceptedAt) {
      return breach('backdated', `Entry ${entry.seq} was accepted before its predecessor.`, [rival.item, item]);
    }
    return null;
  }

  async function storedAt(
    seq: number,
  ): Promise<{ entry: { id: string; epoch: number; seq: number }; item: Buffer } | null> {
    const { rows } = await pool.query<{ id: string; epoch: number; seq: number; item: Buffer }>({
      name: 'mirror-entry-at',
      text: 'SELECT id, epoch, seq, item FROM ledger_entries WHERE seq = $1',
      values: [seq],
    });
    const [row] = rows;
    return row ? { entry: row, item: row.item } : null;
  }

  /** Replays and stores entries that continue the chain. @returns the first that the state does not allow */
  async function store(placed: readonly Placed[]): Promise<Outcome | null> {
    for (let at = 0; at < placed.length; ) {
      const rest = upToRotation(placed.slice(at));
      const replayed = await replay(rest);
      if (replayed.finding === null) {
        at += replayed.count;
        continue;
      }
      // Alone, an entry has its whole read set: only then is a finding one.
      const alone = await replay(rest.slice(0, 1));
      if (alone.finding) {
        return breach('state', alone.finding.sentence, [rest[0]?.item ?? Buffer.of()], alone.finding.kind);
      }
      at += 1;
    }
    return null;
  }

  async function replay(
    placed: readonly Placed[],
  ): Promise<{ readonly count: number; readonly finding: Finding | null }> {
    let result: { count: number; finding: Finding | null } = { count: 0, finding: null };
    let next: { head: Head; point: ReplayPoint } = { head, point };
    await inTransaction(pool, async (client) => {
      const { state, count } = await loadState(
        client,
        placed.map(({ entry }) => entry),
      );
      const findings = createFindings();
      const run = createReplay(state, findings, { from: point });
      const covered = placed.slice(0, count);
      for (const { entry } of covered) run.apply(entry);
      const [finding] = findings.examples(1);
      result = { count, finding: finding ?? null };
      if (finding) return;
      next = { point: run.point, head: advanced(head, covered, run.point) };
      await insertPlaced(client, covered);
      await runAll(client, [...state.writes(), moveHead(next.head), savePoint(run.point)]);
      await saveKey(client, next.head.relayerPublicKey);
    });
    ({ head, point } = next);
    await settleRevocations(pool);
    return result;
  }

  function advanced(from: Head, covered: readonly Placed[], reached: ReplayPoint): Head {
    const entries = covered.map(({ entry, item }) => ({
      id: entry.id,
      epoch: entry.epoch,
      seq: entry.seq,
      function: entry.functionName,
      entityId: entry.entityId,
      acceptedAt: entry.acceptedAt as Instant,
      item,
    }));
    const last = covered.at(-1)?.entry.seq ?? from.seq;
    const { publicKey } =
      keys.succession.keys.findLast(({ fromSeq }) => fromSeq <= last + 1) ?? keys.succession.keys[0];
    return { ...headAfter(from, entries), epochBeganAt: reached.epochBeganAt, relayerPublicKey: publicKey };
  }

  return { end: () => endOf(head), add, keys: () => keys.succession };
}

/** The next entries are signed by another key, which the database accepts once the rotation is stored. */
function upToRotation(placed: readonly Placed[]): readonly Placed[] {
  const rotation = placed.findIndex(({ entry }) => entry.functionName === ROTATE_RELAYER_KEY);
  return rotation < 0 ? placed : placed.slice(0, rotation + 1);
}

const diverged = ({ seq, epoch }: CheckedEntry, stored: number): Outcome => ({
  kind: 'diverged',
  sentence: `The source has entry ${seq} in epoch ${epoch}, which does not continue the verified entries of epoch ${stored}.`,
});

const faulty = (sentence: string): Outcome => ({ kind: 'faulty', sentence });

const breach = (
  kind: EvidenceKind,
  sentence: string,
  items: readonly Uint8Array[],
  finding: FindingKind | null = null,
): Outcome => ({ kind: 'breach', breach: { kind, sentence, finding, items, heads: [], checkpoints: [] } });

const abandoned = (
  left: { entry: { id: string; seq: number; epoch: number }; item: Buffer },
  item: Buffer,
  entry: CheckedEntry,
) =>
  breach(
    'abandoned',
    `Epoch ${entry.epoch} leaves out entry ${left.entry.seq} of epoch ${left.entry.epoch} (${left.entry.id}), which the relayer acknowledged.`,
    [left.item, item],
  );

const bundleOf = (items: readonly { item: Buffer }[]): Buffer =>
  encodeBundle(items.map(({ item }) => ({ id: parseItem(item).id, bytes: item })));

async function readPoint(pool: Pool): Promise<ReplayPoint> {
  const { rows } = await pool.query<{ point: ReplayPoint }>('SELECT point FROM mirror');
  const [row] = rows;
  if (!row) throw new Error('The database is not that of a mirror.');
  return row.point;
}

const savePoint = (point: ReplayPoint) => ({
  name: 'save-mirror-point',
  text: 'UPDATE mirror SET point = $1',
  values: [JSON.stringify(point)],
});

const saveKey = (client: PoolClient, key: string) =>
  client.query({ name: 'save-mirror-key', text: 'UPDATE ledger_head SET relayer_public_key = $1', values: [key] });
