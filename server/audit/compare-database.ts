import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import type { Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import { hasEnded } from '../../protocol/entities/ieo.ts';
import { proposalStatus } from '../../protocol/entities/proposal.ts';
import { KINDS, loadEntities, STORES } from '../entities/stores.ts';
import { itemsBetween } from '../ledger/entries.ts';
import { type Head, readHead } from '../ledger/head.ts';
import type { ArweaveClient } from '../network/arweave-client.ts';
import type { Audit } from './audit.ts';
import type { Placed } from './checked.ts';
import type { Findings } from './findings.ts';
import type { LivingState } from './living-state.ts';
import { NOUNS } from './nouns.ts';
import { overdue } from './overdue.ts';
import { createTombstones, type Tombstones } from './tombstones.ts';

export interface Comparison {
  readonly living: Readonly<Record<EntityKind, number>>;
  /** Compared as a hash over all of a kind. */
  readonly ended: Readonly<Record<EntityKind, number>>;
}

const NONE: Readonly<Record<EntityKind, number>> = { BEO: 0, IEO: 0, TOKEN: 0, PROPOSAL: 0, NAME: 0 };
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const ENTRY_PAGE = 250;
const ENTITY_PAGE = 1_000;

/**
 * Holds the whole database against the ledger as the network has it, in one snapshot, through the stores the API reads
 * with: the entries that are not on the network yet (they take part in the replay), the head, and every entity.
 */
export async function compareWithDatabase(
  pool: Pool,
  audit: Audit,
  { client, maxDelayMs }: { readonly client: ArweaveClient; readonly maxDelayMs: number },
): Promise<Comparison | null> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await connection.query<{ now: string }>('SELECT clock_timestamp() AS now');
    const now = Date.parse(rows[0]?.now ?? '');
    const onNetwork = audit.end?.seq ?? 0;
    const head = await readHead(connection);
    await readTail(connection, audit, head.seq);
    compareHead(head, audit);
    overdue(audit, maxDelayMs, now);
    await lookForLostBundles(connection, client, onNetwork, audit.findings);
    if (!audit.complete) return null;
    const latest = Math.max(now, Date.parse(audit.end?.acceptedAt ?? '') || 0);
    return await compareEntities(connection, audit.replay.state, audit.findings, latest);
  } finally {
    await connection.query('ROLLBACK').catch(() => undefined);
    connection.release();
  }
}

/** The entries of one bundle, as the database has them and the API shows them. */
export async function compareEntries(
  pool: Pick<Pool, 'query'>,
  placed: readonly Placed[],
  findings: Findings,
): Promise<void> {
  const [first, last] = [placed[0], placed.at(-1)];
  if (!first || !last) return;
  const rows = await itemsBetween(pool, first.entry.seq, last.entry.seq);
  const stored = new Map(rows.map((row) => [row.seq, row]));
  for (const { entry, item } of placed) {
    const row = stored.get(entry.seq);
    if (row?.id === entry.id && row.item.equals(item)) continue;
    const other = row?.id === entry.id ? 'other bytes' : `the entry ${row?.id}`;
    const sentence = `The database has ${row ? other : 'nothing'} in the place of this entry.`;
    findings.add({ kind: 'STATE', sentence }, entry);
  }
}

async function readTail(connection: ClientBase, audit: Audit, headSeq: number): Promise<void> {
  for (let after = audit.end?.seq ?? 0; after < headSeq; after += ENTRY_PAGE) {
    await audit.extend(await itemsBetween(connection, after + 1, Math.min(after + ENTRY_PAGE, headSeq)));
  }
}

function compareHead(head: Head, { end, findings }: Audit): void {
  if (head.seq === (end?.seq ?? 0) && head.id === (end?.id ?? null) && head.epoch === (end?.epoch ?? head.epoch))
    return;
  const sentence =
    `The database ends with entry ${head.seq} of epoch ${head.epoch} (${head.id ?? 'none'}), the ledger with entry ` +
    `${end?.seq ?? 0} of epoch ${end?.epoch ?? 1} (${end?.id ?? 'none'}).`;
  findings.add({ kind: 'HEAD', sentence }, { seq: head.seq, id: head.id });
}

/** What the database calls mined must be there: bundles beyond those that were listed are asked for one by one. */
async function lookForLostBundles(
  connection: ClientBase,
  client: ArweaveClient,
  onNetwork: number,
  findings: Findings,
): Promise<void> {
  const { rows } = await connection.query<{ first_seq: number; last_seq: number; l1_tx: string; status: string }>(
    "SELECT first_seq, last_seq, l1_tx, status FROM bundles WHERE last_seq > $1 AND status = 'FINAL' ORDER BY first_seq",
    [onNetwork],
  );
  for (const { first_seq, last_seq, l1_tx } of rows) {
    const { state } = await client.status(l1_tx);
    if (state === 'mined') continue;
    const sentence = `The database calls the bundle of entries ${first_seq} to ${last_seq} FINAL, and it is not on the network.`;
    findings.add({ kind: 'BUNDLE_UNREADABLE', sentence }, { seq: first_seq, id: l1_tx });
  }
}

async function compareEntities(
  connection: ClientBase,
  state: LivingState,
  findings: Findings,
  now: number,
): Promise<Comparison> {
  const comparison = { living: { ...NONE }, ended: { ...NONE } };
  for (const kind of KINDS) {
    const ended = await compareKind(connection, kind, state, findings, now);
    comparison.living[kind] = state.living[kind].size;
    comparison.ended[kind] = ended.count;
    if (kind === 'NAME' || ended.digest === state.tombstones[kind].digest) continue;
    const sentence =
      `The ended ${NOUNS[kind][1]} in the database (${ended.count}) are not those of the ledger ` +
      `(${state.tombstones[kind].count}), or differ in what is left of them.`;
    findings.add({ kind: 'STATE', sentence });
  }
  await compareCounts(connection, findings);
  return comparison;
}

/** @returns a hash of the stored entities that are no part of the living state, and need not be. */
async function compareKind(
  connection: ClientBase,
  kind: EntityKind,
  state: LivingState,
  findings: Findings,
  now: number,
): Promise<Tombstones> {
  const living: ReadonlyMap<string, Entity> = state.living[kind];
  const missing = new Set(living.keys());
  const ended = createTombstones();
  for await (const stored of everyEntity(connection, kind)) {
    const replayed = living.get(stored.id);
    missing.delete(stored.id);
    if (!replayed && isOver(stored, state, now)) ended.add(stored);
    else compareEntity(stored, replayed, findings);
  }
  for (const id of missing) {
    const replayed = living.get(id);
    if (replayed && !(replayed.kind === 'NAME' && isOver(replayed, state, now))) reportMissing(replayed, findings);
  }
  return ended;
}

/** Whether an entity can rightly be missing from the living state. */
function isOver(stored: Entity, { living }: LivingState, now: number): boolean {
  switch (stored.kind) {
    case 'BEO':
      return stored.status === 'DESTROYED';
    case 'IEO':
      return hasEnded(stored);
    case 'TOKEN':
      return (
        stored.revokedAt !== null ||
        !living.BEO.has(stored.beoId) ||
        !living[stored.grantee.kind].has(stored.grantee.id)
      );
    case 'PROPOSAL':
      return proposalStatus(stored, now) !== 'PENDING';
    case 'NAME':
      // A name that nobody holds and everybody may take is as good as none.
      return stored.holder === null && Date.parse(stored.availableAt ?? '') <= now;
  }
}

/** The numbers of institutions that a list is answered with are kept beside them. */
async function compareCounts(connection: ClientBase, findings: Findings): Promise<void> {
  const { rows } = await connection.query<
    Record<'status' | 'ieo_type' | 'cert_level', string> & Record<'kept' | 'found', number>
  >(
    `SELECT status, ieo_type, cert_level, coalesce(kept.count, 0) AS kept, coalesce(found.count, 0) AS found
     FROM ieo_counts kept FULL JOIN (SELECT status, ieo_type, cert_level, count(*) FROM ieos GROUP BY 1, 2, 3) found
       USING (status, ieo_type, cert_level) WHERE coalesce(kept.count, 0) <> coalesce(found.count, 0)`,
  );
  for (const { status, ieo_type, cert_level, kept, found } of rows) {
    const which = [status, ieo_type, cert_level].join(' ');
    findings.add({
      kind: 'STATE',
      sentence: `The database counts ${kept} institutions that are ${which}, and has ${found}.`,
    });
  }
}

function compareEntity(stored: Entity, replayed: Entity | undefined, findings: Findings): void {
  if (isDeepStrictEqual(stored, replayed)) return;
  const [what] = NOUNS[stored.kind];
  const sentence = replayed
    ? `The ${what} ${stored.id} differs from the ledger: ${differences(stored, replayed)}.`
    : `The ${what} ${stored.id} is in the database, but does not follow from the ledger.`;
  findings.add({ kind: 'STATE', sentence }, { seq: (replayed ?? stored).seq, id: (replayed ?? stored).transactionId });
}

function reportMissing({ kind, id, seq, transactionId }: Entity, findings: Findings): void {
  const sentence = `The ${NOUNS[kind][0]} ${id} follows from the ledger, but is not in the database.`;
  findings.add({ kind: 'STATE', sentence }, { seq, id: transactionId });
}

/** Names the fields, and what they hold where that is short. */
export function differences(served: object, replayed: object): string {
  const [one, other] = [served as Record<string, unknown>, replayed as Record<string, unknown>];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return fields
    .filter((field) => !isDeepStrictEqual(one[field], other[field]))
    .map((field) => `${field} is ${shortly(one[field])} instead of ${shortly(other[field])}`)
    .join('; ');
}

const shortly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

async function* everyEntity<Kind extends EntityKind>(
  connection: ClientBase,
  kind: Kind,
): AsyncGenerator<EntityOf<Kind>> {
  const { table, idType } = STORES[kind];
  for (let after: string = idType === 'uuid' ? NIL_UUID : ''; ; ) {
    const { rows } = await connection.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE id > $1::${idType} ORDER BY id LIMIT ${ENTITY_PAGE}`,
      [after],
    );
    const entities = await loadEntities(
      connection,
      rows.map(({ id }) => ({ kind, id })),
    );
    for (const { id } of rows) {
      const entity = entities.get(kind, id);
      if (entity) yield entity;
    }
    const last = rows.at(-1);
    if (rows.length < ENTITY_PAGE || !last) return;
    after = last.id;
  }
}
