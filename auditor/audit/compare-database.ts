import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import type { Entity, EntityKind, EntityOf } from '../../protocol/entities/entities.ts';
import { hasEnded } from '../../protocol/entities/ieo.ts';
import { proposalStatus } from '../../protocol/entities/proposal.ts';
import { currentKey } from '../../protocol/ledger/relayer-keys.ts';
import { KINDS, loadEntities, STORES } from '../../server/entities/stores.ts';
import { itemsBetween } from '../../server/ledger/entries.ts';
import { type Head, readHead } from '../../server/ledger/head.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import type { Audit } from './audit.ts';
import { checkOverdue } from './check-posting.ts';
import type { Placed } from './checked.ts';
import { inChunks } from './chunks.ts';
import type { LiveEntities } from './entity-table.ts';
import type { Findings } from './findings.ts';
import { KIND_LABELS } from './kind-labels.ts';
import type { ReplayedState } from './replayed-state.ts';
import { createSetDigest, type SetDigest } from './set-digest.ts';

export interface Comparison {
  readonly live: Readonly<Record<EntityKind, number>>;
  /** Compared as a hash over all of a kind. */
  readonly ended: Readonly<Record<EntityKind, number>>;
}

const NONE: Readonly<Record<EntityKind, number>> = { BEO: 0, IEO: 0, TOKEN: 0, PROPOSAL: 0, NAME: 0 };
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const ENTRY_PAGE = 250;
const ENTITY_PAGE = 1_000;

/**
 * Compares the whole database with the ledger on the network, in one snapshot, through the stores that the API uses: the
 * entries that are not on the network yet (they are replayed too), the head, and every entity.
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
    checkOverdue(audit, maxDelayMs, now);
    await checkFinalBundles(connection, client, onNetwork, audit.findings);
    if (!audit.complete) return null;
    const latest = Math.max(now, Date.parse(audit.end?.acceptedAt ?? '') || 0);
    return await compareEntities(connection, audit.replay.state, audit.findings, latest);
  } finally {
    await connection.query('ROLLBACK').catch(() => undefined);
    connection.release();
  }
}

/** Compares the entries of one bundle with those in the database. */
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
    const sentence = `The database has ${row ? other : 'nothing'} in place of this entry.`;
    findings.add({ kind: 'STATE', sentence }, entry);
  }
}

async function readTail(connection: ClientBase, audit: Audit, headSeq: number): Promise<void> {
  for (let after = audit.end?.seq ?? 0; after < headSeq; after += ENTRY_PAGE) {
    await audit.extend(await itemsBetween(connection, after + 1, Math.min(after + ENTRY_PAGE, headSeq)));
  }
}

function compareHead(head: Head, { end, findings, relayerKeys }: Audit): void {
  if (head.relayerPublicKey !== currentKey(relayerKeys)) {
    const sentence = `The database has the relayer key ${head.relayerPublicKey}, the ledger ${currentKey(relayerKeys)}.`;
    findings.add({ kind: 'HEAD', sentence }, { seq: head.seq, id: head.id });
  }
  if (head.seq === (end?.seq ?? 0) && head.id === (end?.id ?? null) && head.epoch === (end?.epoch ?? head.epoch))
    return;
  const sentence =
    `The database ends with entry ${head.seq} of epoch ${head.epoch} (${head.id ?? 'none'}), the ledger with entry ` +
    `${end?.seq ?? 0} of epoch ${end?.epoch ?? 1} (${end?.id ?? 'none'}).`;
  findings.add({ kind: 'HEAD', sentence }, { seq: head.seq, id: head.id });
}

/** Bundles that the database calls FINAL must be on the network, also after the listed ones. */
async function checkFinalBundles(
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
    const sentence = `The database calls the bundle of entries ${first_seq} to ${last_seq} FINAL, but it is not on the network.`;
    findings.add({ kind: 'BUNDLE_UNREADABLE', sentence }, { seq: first_seq, id: l1_tx });
  }
}

async function compareEntities(
  connection: ClientBase,
  state: ReplayedState,
  findings: Findings,
  now: number,
): Promise<Comparison> {
  const comparison = { live: { ...NONE }, ended: { ...NONE } };
  for (const kind of KINDS) {
    const ended = await compareKind(connection, kind, state, findings, now);
    comparison.live[kind] = state.live[kind].size;
    comparison.ended[kind] = ended.count;
    if (kind === 'NAME' || ended.digest === state.endedDigests[kind].digest) continue;
    const sentence =
      `The ended ${KIND_LABELS[kind][1]} in the database (${ended.count}) differ from those of the ledger ` +
      `(${state.endedDigests[kind].count}).`;
    findings.add({ kind: 'STATE', sentence });
  }
  await compareCounts(connection, findings);
  return comparison;
}

/** @returns a digest of the stored entities that have ended, which the live state does not hold. */
async function compareKind(
  connection: ClientBase,
  kind: EntityKind,
  state: ReplayedState,
  findings: Findings,
  now: number,
): Promise<SetDigest> {
  const live: LiveEntities<Entity> = state.live[kind];
  const ended = createSetDigest();
  let found = 0;
  for await (const stored of everyEntity(connection, kind)) {
    const replayed = live.get(stored.id);
    if (replayed) found += 1;
    if (!replayed && hasLapsed(stored, state, now)) ended.add(stored);
    else compareEntity(stored, replayed, findings);
  }
  if (found < live.size) await reportMissing(connection, kind, state, findings, now);
  return ended;
}

/** The live entities that the database does not have. Ids are unique there, so there are none if the numbers are equal. */
async function reportMissing(
  connection: ClientBase,
  kind: EntityKind,
  state: ReplayedState,
  findings: Findings,
  now: number,
): Promise<void> {
  for (const replayed of inChunks<Entity>(state.live[kind].values(), ENTITY_PAGE)) {
    const stored = await loadEntities(
      connection,
      replayed.map(({ id }) => ({ kind, id })),
    );
    for (const entity of replayed) {
      if (stored.get(kind, entity.id) || (entity.kind === 'NAME' && hasLapsed(entity, state, now))) continue;
      const { id, seq, transactionId } = entity;
      const sentence = `The ${KIND_LABELS[kind][0]} ${id} follows from the ledger, but is not in the database.`;
      findings.add({ kind: 'STATE', sentence }, { seq, id: transactionId });
    }
  }
}

/** Whether the entity has ended, so that the live state does not contain it. */
function hasLapsed(stored: Entity, { live }: ReplayedState, now: number): boolean {
  switch (stored.kind) {
    case 'BEO':
      return stored.status === 'DESTROYED';
    case 'IEO':
      return hasEnded(stored);
    case 'TOKEN':
      return (
        stored.revokedAt !== null || !live.BEO.has(stored.beoId) || !live[stored.grantee.kind].has(stored.grantee.id)
      );
    case 'PROPOSAL':
      return proposalStatus(stored, now) !== 'PENDING';
    case 'NAME':
      // A name that anyone may register again is not part of the state.
      return stored.holder === null && Date.parse(stored.availableAt ?? '') <= now;
  }
}

/** The stored counts of institutions, which lists show, must match the institutions. */
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
      sentence: `The stored count of institutions that are ${which} is ${kept}, but the database has ${found}.`,
    });
  }
}

function compareEntity(stored: Entity, replayed: Entity | undefined, findings: Findings): void {
  if (isDeepStrictEqual(stored, replayed)) return;
  const [label] = KIND_LABELS[stored.kind];
  const sentence = replayed
    ? `The ${label} ${stored.id} differs from the ledger: ${differences(stored, replayed)}.`
    : `The ${label} ${stored.id} is in the database, but does not follow from the ledger.`;
  findings.add({ kind: 'STATE', sentence }, { seq: (replayed ?? stored).seq, id: (replayed ?? stored).transactionId });
}

/** The fields that differ, with their values shortened. */
export function differences(served: object, replayed: object): string {
  const [actual, expected] = [served as Record<string, unknown>, replayed as Record<string, unknown>];
  const fields = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
  return fields
    .filter((field) => !isDeepStrictEqual(actual[field], expected[field]))
    .map((field) => `${field} is ${shortened(actual[field])} instead of ${shortened(expected[field])}`)
    .join('; ');
}

const shortened = (value: unknown): string => {
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
