import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import type { Succession } from '../../../protocol/ledger/relayer-keys.ts';
import type { RecordStatus } from '../../../protocol/records/record.ts';
import { lockHead } from '../../ledger/head.ts';
import { createPool, LONG_RUNNING } from '../../platform/db/pool.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import { unwrapKey } from '../vault/data-key.ts';
import { IntegrityFailure } from '../vault/integrity.ts';
import { clientRef } from './client-record-ids.ts';
import { newLabels, type RecordContent, recordAssociatedData } from './new-records.ts';
import { type BoundRow, bindPlace, openBound, RECORD_COLUMNS } from './record-binding.ts';
import { sealTotals } from './record-totals.ts';
import { commitmentIn, type ProvenSubmission, provenGrantee, provenSubmissions } from './submission-proof.ts';

interface Parts {
  readonly vaultKey: Uint8Array;
  /** The keys that signed the ledger. */
  readonly succession: Succession;
}

const PAGE = 500;

/**
 * Binds records written before rows were bound. Trusts no plaintext column: labels are rebuilt from the content; place,
 * consent, institution and count come from the ledger's signed items. So no row can pass as old. Records that do not
 * match stay unbound and unreadable, and are logged. May take long, so it has its own pool without statement timeouts.
 */
export async function bindOldRecords({
  databaseUrl,
  log,
  ...parts
}: Parts & { readonly databaseUrl: string; readonly log: Logger }): Promise<void> {
  const lost = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost');
  const pool = createPool(databaseUrl, 2, lost, LONG_RUNNING);
  try {
    const { rows } = await pool.query<{ owner_id: string }>(
      'SELECT DISTINCT owner_id FROM records WHERE binding IS NULL ORDER BY 1',
    );
    let bound = 0;
    for (const { owner_id: beoId } of rows) {
      const failure = await bindHolder(pool, parts, beoId);
      if (failure === null) bound += 1;
      else log.error({ beoId, altered: failure.altered }, 'stored records do not match the ledger and stay unreadable');
    }
    if (bound > 0) log.info({ identities: bound }, 'records of an earlier version were bound to their rows');
  } finally {
    await pool.end();
  }
}

/**
 * Binds one holder's records in one transaction, behind the lock of the ledger's head, so that no record is added
 * meanwhile.
 */
async function bindHolder(
  pool: Pool,
  { vaultKey, succession }: Parts,
  ownerId: string,
): Promise<IntegrityFailure | null> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await lockHead(client);
    const { rows } = await client.query<{ wrapped: Buffer }>('SELECT wrapped FROM vault_keys WHERE owner_id = $1', [
      ownerId,
    ]);
    if (rows[0]) await bindAll(client, succession, ownerId, unwrapKey(vaultKey, ownerId, rows[0].wrapped));
    await client.query('COMMIT');
    return null;
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof IntegrityFailure)) throw error;
    return error;
  } finally {
    client.release();
  }
}

type Proven = ProvenSubmission & { readonly grantee: string };

async function bindAll(client: ClientBase, succession: Succession, ownerId: string, key: Buffer): Promise<void> {
  const submissions = new Map<string, Proven>();
  const grantees = new Map<string, string | null>();
  for await (const submission of provenSubmissions(client, succession, ownerId)) {
    const { tokenId, transactionId } = submission;
    const grantee = grantees.get(tokenId) ?? (await provenGrantee(client, succession, tokenId));
    grantees.set(tokenId, grantee);
    if (grantee !== null) submissions.set(transactionId, { ...submission, grantee });
  }
  const bound: Found[] = [];
  for (let after: BoundRow | undefined; ; ) {
    const { rows }: { rows: BoundRow[] } = await client.query<BoundRow>(
      `SELECT ${RECORD_COLUMNS} FROM records r WHERE owner_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${PAGE}`,
      [ownerId, after?.id ?? null],
    );
    const found = rows.map((row) => findPlace(key, row, submissions.get(row.transaction_id)));
    await saveLabels(
      client,
      found.map(({ labels }) => labels).filter((labels) => labels !== null),
    );
    bound.push(...found.map(({ place }) => place));
    after = rows.at(-1);
    if (rows.length < PAGE) break;
  }
  const expected = [...submissions.values()].reduce((sum, { commitments }) => sum + commitments.length, 0);
  const places = new Set(bound.map(({ seq, position }) => `${seq} ${position}`));
  if (bound.length !== expected || places.size !== expected) throw new IntegrityFailure(`records of ${ownerId}`);
  await bindPlaces(client, key, bound);
  await saveTotals(client, key, ownerId, submissions, bound);
}

/** The place of a record whose content is sealed again. */
interface Found {
  readonly id: string;
  readonly category: string;
  readonly supersedes: string | null;
  readonly submitted_at: string;
  readonly transaction_id: string;
  readonly seq: number;
  readonly position: number;
}

interface OldRecord {
  readonly place: Found;
  /** The column values of the row except its place; null if it was bound already. */
  readonly labels: readonly unknown[] | null;
}

/** @throws {IntegrityFailure} if no entry of the ledger contains the record */
function findPlace(key: Buffer, row: BoundRow, submission: Proven | undefined): OldRecord {
  const name = `record ${row.id}`;
  const sealed = row.binding === null ? decrypt(key, `record:${row.id}`, row.ciphertext, name) : openBound(key, row);
  const content = JSON.parse(sealed.toString()) as RecordContent;
  const position = submission?.commitments.indexOf(commitmentIn(content)) ?? -1;
  if (!submission || position < 0) throw new IntegrityFailure(name);
  const { tokenId, grantee, seq, acceptedAt, transactionId } = submission;
  const subjects = { holder: row.owner_id, grantee, token: tokenId };
  const submitted = content.submitted as Parameters<typeof newLabels>[0]['submitted'];
  const supersedes = (content.supersedes ?? submitted.supersedes)?.toLowerCase() ?? null;
  const clientId = clientRef(key, subjects, submitted);
  const labels = newLabels({ recordId: row.id, submitted }, { position, supersedes, clientRef: clientId });
  const { id, biomarker, category, collectedAt } = labels;
  const place = { id, category, supersedes, submitted_at: acceptedAt, transaction_id: transactionId, seq, position };
  if (row.binding !== null) return { place, labels: null };
  const ciphertext = encrypt(key, recordAssociatedData(labels, subjects), sealed);
  const columns = [
    id,
    grantee,
    tokenId,
    biomarker,
    category,
    collectedAt,
    acceptedAt,
    seq,
    position,
    clientId,
    ciphertext,
  ];
  return { place, labels: columns };
}

async function saveLabels(client: ClientBase, rows: readonly (readonly unknown[])[]): Promise<void> {
  if (rows.length === 0) return;
  const types = 'uuid uuid text text text timestamptz timestamptz bigint int bytea bytea'.split(' ');
  await client.query(
    `UPDATE records SET ieo_id = l.ieo_id, token_id = l.token_id, biomarker = l.biomarker, category = l.category,
       collected_at = l.collected_at, submitted_at = l.submitted_at, seq = l.seq, position = l.position,
       client_ref = l.client_ref, ciphertext = l.ciphertext
     FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
       AS l (id, ieo_id, token_id, biomarker, category, collected_at, submitted_at, seq, position, client_ref, ciphertext)
     WHERE records.id = l.id`,
    types.map((_, column) => rows.map((row) => row[column])),
  );
}

/** The seq of the correcting entry, by the id of the superseded record. */
const correctionsIn = (bound: readonly Found[]): ReadonlyMap<string, number> =>
  new Map(bound.flatMap(({ supersedes, seq }) => (supersedes === null ? [] : [[supersedes, seq] as const])));

async function bindPlaces(client: ClientBase, key: Buffer, bound: readonly Found[]): Promise<void> {
  const corrections = correctionsIn(bound);
  for (let start = 0; start < bound.length; start += PAGE) {
    const places = bound.slice(start, start + PAGE).map((found) => {
      const superseded_seq = corrections.get(found.id) ?? null;
      const status: RecordStatus = superseded_seq === null ? 'ACTIVE' : 'SUPERSEDED';
      const { id, submitted_at, transaction_id, seq } = found;
      const place = { id, submitted_at, transaction_id, seq, status, superseded_seq };
      return { ...place, binding: bindPlace(key, place) };
    });
    await client.query(
      `UPDATE records SET status = p.status, superseded_seq = p.superseded_seq, binding = p.binding
       FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[]) AS p (id, status, superseded_seq, binding)
       WHERE records.id = p.id`,
      [
        places.map(({ id }) => id),
        places.map(({ status }) => status),
        places.map(({ superseded_seq }) => superseded_seq),
        places.map(({ binding }) => binding),
      ],
    );
  }
}

/** Rebuilds the counters as well, because they may have been altered. */
async function saveTotals(
  client: ClientBase,
  key: Buffer,
  ownerId: string,
  submissions: ReadonlyMap<string, Proven>,
  bound: readonly Found[],
): Promise<void> {
  const corrections = correctionsIn(bound);
  const counts: Record<string, number> = {};
  for (const { id, category } of bound) {
    const kind = `${category} ${corrections.has(id) ? 'SUPERSEDED' : 'ACTIVE'}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const seq = Math.max(0, ...[...submissions.values()].map(({ seq }) => seq));
  await client.query('DELETE FROM record_counts WHERE owner_id = $1', [ownerId]);
  await client.query(
    `INSERT INTO record_counts (owner_id, biomarker, category, status, count)
     SELECT owner_id, biomarker, category, status, count(*) FROM records WHERE owner_id = $1 GROUP BY 1, 2, 3, 4`,
    [ownerId],
  );
  await client.query('UPDATE vault_keys SET record_totals = $2 WHERE owner_id = $1', [
    ownerId,
    sealTotals(key, ownerId, { seq, counts }),
  ]);
}
