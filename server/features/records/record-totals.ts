import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import { refusal } from '../../../protocol/errors.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import { IntegrityFailure } from '../vault/integrity.ts';

/** The number of a holder's records, sealed under the data key, so that a missing record is detected. */
export interface RecordTotals {
  /** The seq of the last entry that added records; 0 if none. */
  readonly seq: number;
  /** By category and status, such as "BSP-CV ACTIVE". */
  readonly counts: Readonly<Record<string, number>>;
}

export const NO_RECORDS: RecordTotals = { seq: 0, counts: {} };

const totalsRow = (ownerId: string): string => `record totals:${ownerId}`;

export const sealTotals = (key: Uint8Array, ownerId: string, totals: RecordTotals): Buffer =>
  encrypt(key, totalsRow(ownerId), Buffer.from(JSON.stringify(totals)));

/** @throws {IntegrityFailure} */
export const openTotals = (key: Uint8Array, ownerId: string, sealed: Buffer | null): RecordTotals =>
  sealed === null ? NO_RECORDS : (JSON.parse(decrypt(key, totalsRow(ownerId), sealed).toString()) as RecordTotals);

interface Counted {
  readonly category: string;
}

/** The totals after an entry. */
export function addToTotals(
  { counts }: RecordTotals,
  seq: number,
  added: readonly Counted[],
  superseded: readonly Counted[],
): RecordTotals {
  const after: Record<string, number> = { ...counts };
  const add = (kind: string, count: number) => {
    after[kind] = (after[kind] ?? 0) + count;
  };
  for (const { category } of added) add(`${category} ACTIVE`, 1);
  for (const { category } of superseded) {
    add(`${category} ACTIVE`, -1);
    add(`${category} SUPERSEDED`, 1);
  }
  return { seq, counts: after };
}

/** Loads the sealed totals of holders by id, inside the transaction. */
export async function loadTotals(
  client: Pick<ClientBase, 'query'>,
  ownerIds: readonly string[],
): Promise<Map<string, Buffer | null>> {
  const { rows } = await client.query<{ owner_id: string; record_totals: Buffer | null }>({
    name: 'load-record-totals',
    text: 'SELECT owner_id, record_totals FROM vault_keys WHERE owner_id = ANY($1::uuid[])',
    values: [ownerIds],
  });
  return new Map(rows.map(({ owner_id, record_totals }) => [owner_id, record_totals]));
}

export interface SealedTotals {
  readonly ownerId: string;
  readonly sealed: Buffer;
}

export const sealAllTotals = (
  totals: ReadonlyMap<string, RecordTotals>,
  keys: ReadonlyMap<string, Buffer>,
): SealedTotals[] =>
  [...totals].flatMap(([ownerId, owned]) => {
    const key = keys.get(ownerId);
    return key ? [{ ownerId, sealed: sealTotals(key, ownerId, owned) }] : [];
  });

export const saveTotals = (totals: readonly SealedTotals[]): Statement => ({
  name: 'save-record-totals',
  text: `UPDATE vault_keys SET record_totals = t.sealed FROM unnest($1::uuid[], $2::bytea[]) AS t (owner_id, sealed)
         WHERE vault_keys.owner_id = t.owner_id`,
  values: [totals.map(({ ownerId }) => ownerId), totals.map(({ sealed }) => sealed)],
});

const COUNTERS = `SELECT category, status, sum(count)::bigint AS count FROM record_counts WHERE owner_id = $1 GROUP BY 1, 2`;
/** Excludes rows with a seq after the last entry: an export would leave them out. A backup kept those of earlier epochs. */
const ROWS = `SELECT category, status, count(*) AS count FROM records
  WHERE owner_id = $1 AND seq <= greatest(last_entry.seq, (SELECT max(seq) FROM ledger_entries WHERE function = 'beginEpoch'))
  GROUP BY category, status`;

const asPairs = (counted: string): string =>
  `(SELECT coalesce(json_agg(json_build_array(category || ' ' || status, count)), '[]') FROM (${counted}) c)`;

/** The last entry of this epoch that added records. Entries before a restore may be missing. */
const LAST_SEQ = `SELECT coalesce(max(last.seq), 0) AS seq FROM tokens t CROSS JOIN LATERAL
    (SELECT e.seq, e.epoch FROM ledger_entries e WHERE e.entity_id = t.id AND e.function = 'submitRecords'
     ORDER BY e.seq DESC LIMIT 1) last
  WHERE t.beo_id = $1 AND t.submitted > 0 AND last.epoch = (SELECT epoch FROM ledger_head)`;

/** Up to this number, every read counts the rows; beyond it that would take longer than the read. */
export const COUNTED_BY_ROW = 2_000;

type Pairs = readonly (readonly [kind: string, count: number])[];

/**
 * Compares a holder's records with the sealed totals, and these with the ledger, in one snapshot. Detects a removed
 * record, a changed category or status, and an earlier state put back.
 * @param most with more records only the counters are compared, which the database updates on every write
 * @throws {IntegrityFailure}; BEO_DESTROYED if there is no data key
 */
export async function checkTotals(
  pool: Pick<Pool, 'query'>,
  key: Uint8Array,
  ownerId: string,
  most = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const { rows } = await pool.query<{
    record_totals: Buffer | null;
    by_counter: Pairs;
    by_row: Pairs | null;
    last_seq: number;
  }>({
    name: 'check-record-totals',
    text: `SELECT record_totals, last_entry.seq AS last_seq, ${asPairs(COUNTERS)} AS by_counter,
             CASE WHEN (SELECT coalesce(sum(count), 0) FROM record_counts WHERE owner_id = $1) <= $2::bigint
               THEN ${asPairs(ROWS)} END AS by_row
           FROM vault_keys, (${LAST_SEQ}) last_entry WHERE owner_id = $1`,
    values: [ownerId, most],
  });
  const [row] = rows;
  if (!row) throw refusal('BEO_DESTROYED');
  const totals = openTotals(key, ownerId, row.record_totals);
  const expected = withoutZeros(Object.entries(totals.counts));
  const counted = [row.by_counter, row.by_row ?? row.by_counter].map(withoutZeros);
  if (totals.seq !== row.last_seq || !counted.every((counts) => isDeepStrictEqual(counts, expected))) {
    throw new IntegrityFailure(`records of ${ownerId}`);
  }
}

const withoutZeros = (counts: Pairs) => Object.fromEntries(counts.filter(([, count]) => count !== 0));
