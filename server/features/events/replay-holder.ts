import type { ClientBase } from 'pg';
import { subjectIds } from '../../../protocol/apply.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import type { Entities } from '../../../protocol/entities/entities.ts';
import { decodeEntry, type LedgerEntry } from '../../../protocol/ledger/entry.ts';
import { BEGIN_EPOCH, beginEpochFor } from '../../../protocol/ledger/epoch.ts';
import { type AnyOperation, operationFor } from '../../../protocol/operations.ts';
import { parseItem } from '../../ledger/ans104.ts';
import type { PlacedEntry } from '../../ledger/list-entries.ts';

type Db = Pick<ClientBase, 'query'>;

/**
 * Finds out which entries yielded their events, where that depends on the state of the identity at the time: replays the
 * entries of each identity, from its creation. The ledger has few such entries: confirmations of recoveries.
 * @returns the seqs of those that did
 */
export async function entriesWithEvents(db: Db, entries: readonly PlacedEntry[]): Promise<ReadonlySet<number>> {
  const lastSeqs = new Map(entries.map(({ entity_id, seq }) => [entity_id, seq]));
  const yielding = new Set<number>();
  for (const [beoId, lastSeq] of lastSeqs) {
    for (const seq of await replay(db, beoId, lastSeq)) yielding.add(seq);
  }
  return yielding;
}

async function replay(db: Db, beoId: string, lastSeq: number): Promise<number[]> {
  const yielding: number[] = [];
  let beo: Beo | undefined;
  for await (const entry of entriesOf(db, beoId, lastSeq)) {
    const operation = operationFor(entry.function, 'message' in entry ? entry.message : entry.public);
    const before = beo;
    beo = operation ? after(operation, entry, before) : before && (beginEpochFor(before, entry.accepted_at) ?? before);
    if (before && beo && operation?.yieldsEvents?.(before, beo)) yielding.push(entry.seq);
  }
  return yielding;
}

const PAGE = 200;
const part = (condition: string): string =>
  `(SELECT seq, item FROM ledger_entries WHERE ${condition} AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT ${PAGE})`;

/** The entries of an identity and the beginnings of epochs, oldest first. */
async function* entriesOf(db: Db, beoId: string, lastSeq: number): AsyncGenerator<LedgerEntry> {
  for (let last = 0, more = true; more; ) {
    const { rows }: { rows: { seq: number; item: Buffer }[] } = await db.query({
      name: 'entries-of-holder',
      text: `${part('entity_id = $1')} UNION ALL ${part(`function = '${BEGIN_EPOCH}'`)} ORDER BY seq LIMIT ${PAGE}`,
      values: [beoId, last, lastSeq],
    });
    for (const { item } of rows) yield decodeEntry(parseItem(item).data);
    last = rows.at(-1)?.seq ?? last;
    more = rows.length === PAGE;
  }
}

/** The identity after an entry, which was checked when it was accepted. */
function after(operation: AnyOperation, entry: LedgerEntry, before: Beo | undefined): Beo | undefined {
  const entities = onlyWith(before);
  const assigned = (entry.assigned ?? {}) as Readonly<Record<string, string>>;
  const { changes } = operation.transition(entities, {
    entityId: entry.entity_id,
    subjects: subjectIds(operation, entities, { entityId: entry.entity_id, assigned }),
    publicFacts: publicFactsOf(operation, entry),
    signer: entry.signer,
    assigned,
    acceptedAt: entry.accepted_at,
  });
  return changes.find((change) => change.kind === 'BEO') ?? before;
}

function publicFactsOf(operation: AnyOperation, entry: LedgerEntry): unknown {
  if ('public' in entry) return operation.sealed?.publicFacts.parse(entry.public);
  const { function: _, nonce, timestamp, ledgerId, ...fields } = entry.message;
  return operation.publicFacts({ fields, message: entry.message, signature: entry.signature ?? '' });
}

/** No operation about an identity depends on other entities for what it changes in the identity. */
const onlyWith = (beo: Beo | undefined): Entities => ({
  get: ((kind, id) => (kind === 'BEO' && id === beo?.id ? beo : undefined)) as Entities['get'],
  granted: () => [],
});
