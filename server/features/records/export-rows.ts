import type { Pool } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { RecordStatus } from '../../../protocol/records/record.ts';
import { RECORD_COLUMNS } from './record-binding.ts';
import type { RecordRow } from './record-view.ts';

export interface ExportSelection {
  readonly ownerId: string;
  /** Null for all. */
  readonly categories: readonly string[] | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** The maximum number of records, the newest; null for all. */
  readonly most: number | null;
}

/** The content of an export: everything up to the entry that was last when it began. */
export interface Snapshot {
  readonly seq: number;
  readonly count: number;
}

const PAGE = 200;

const SELECTED = `r.owner_id = $1 AND r.seq <= $2 AND ($3::text[] IS NULL OR r.category = ANY($3))
  AND ($4::timestamptz IS NULL OR r.collected_at >= $4) AND ($5::timestamptz IS NULL OR r.collected_at <= $5)`;

const valuesOf = ({ ownerId, categories, from, to }: ExportSelection, seq: number): unknown[] => [
  ownerId,
  seq,
  categories,
  from,
  to,
];

export async function snapshot(pool: Pool, selection: ExportSelection): Promise<Snapshot> {
  const head = await pool.query<{ seq: number }>('SELECT seq FROM ledger_head');
  const seq = head.rows[0]?.seq ?? 0;
  const { rows } = await pool.query<{ count: number }>({
    name: 'count-exported',
    text: `SELECT count(*) AS count FROM records r WHERE ${SELECTED}`,
    values: valuesOf(selection, seq),
  });
  return { seq, count: Math.min(rows[0]?.count ?? 0, selection.most ?? Number.MAX_SAFE_INTEGER) };
}

/**
 * Reads page by page, without a transaction that a slow reader would keep open: the only change to a record is its
 * correction, and the row has the seq of that.
 */
export async function* exportedRecords(
  pool: Pool,
  selection: ExportSelection,
  { seq, count }: Snapshot,
): AsyncGenerator<readonly Omit<RecordRow, 'ieo_domain'>[]> {
  let after: Omit<RecordRow, 'ieo_domain'> | undefined;
  for (let left = count; left > 0; ) {
    const { rows }: { rows: Omit<RecordRow, 'ieo_domain'>[] } = await pool.query({
      name: after ? 'export-after' : 'export-first',
      text: `SELECT ${RECORD_COLUMNS} FROM records r WHERE ${SELECTED}
             ${after ? 'AND (r.collected_at, r.seq, r.position) < ($7, $8, $9)' : ''}
             ORDER BY r.collected_at DESC, r.seq DESC, r.position DESC LIMIT $6`,
      values: [
        ...valuesOf(selection, seq),
        Math.min(PAGE, left),
        ...(after ? [after.collected_at, after.seq, after.position] : []),
      ],
    });
    if (rows.length === 0) return;
    left -= rows.length;
    after = rows.at(-1);
    yield rows;
  }
}

/** A record's status when the export began. */
export const statusAt = ({ superseded_seq }: Pick<RecordRow, 'superseded_seq'>, seq: number): RecordStatus =>
  superseded_seq !== null && superseded_seq <= seq ? 'SUPERSEDED' : 'ACTIVE';
