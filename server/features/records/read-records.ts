import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { type BioRecord, classifyBiomarker, type RecordStatus } from '../../../protocol/records/record.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { READ_RECORDS } from '../../../protocol/signing/exchange-requests.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { saveAccessEvent } from './access-events.ts';
import { authorizeRead, type ExchangeParts } from './authorize-read.ts';
import { coveredCategories, coveredPeriod } from './coverage.ts';
import { RECORD_COLUMNS } from './record-binding.ts';
import { COUNTED_BY_ROW, checkTotals } from './record-totals.ts';
import { openRecord, type RecordRow, recordView } from './record-view.ts';

/** The filters of a request, within what the token covers. */
export interface RecordFilters {
  readonly categories: readonly string[] | null;
  readonly biomarkers: readonly string[] | null;
  readonly levels: readonly string[] | null;
  readonly status: RecordStatus;
  /** A point in time, or a date. */
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
  readonly offset: number;
}

export interface RecordPage {
  readonly beo_id: string;
  readonly records: readonly BioRecord[];
  readonly total: number;
  readonly has_more: boolean;
}

type Parts = ExchangeParts & { readonly vault: Vault };

/**
 * Reads the records of a person that a token covers, newest collected first. Protocol §8.
 * @throws what authorizeRead throws; CATEGORY_NOT_AUTHORIZED, PERIOD_NOT_AUTHORIZED
 */
export async function readRecords(parts: Parts, body: Json, filters: RecordFilters): Promise<RecordPage> {
  const { pool, recordPool, vault } = parts;
  const use = await authorizeRead(parts, READ_RECORDS, body, 'READ_RECORDS');
  const { holder, token } = use;
  const named = [
    ...(filters.categories ?? []),
    ...(filters.biomarkers ?? []).flatMap((code) => classifyBiomarker(code)?.category ?? []),
  ];
  const categories = coveredCategories(use, named, filters);
  const period = coveredPeriod(use, filters);
  return available(async () => {
    const key = await vault.ensureKey(pool, holder.id);
    if (!key) throw refusal('BEO_DESTROYED');
    const selection = { ...filters, ...period, categories, ownerId: holder.id, most: token.scope.max_records };
    const [rows, total] = await Promise.all([
      select(recordPool, selection),
      count(pool, selection),
      checkTotals(pool, key, holder.id, COUNTED_BY_ROW),
    ]);
    // The counters may have been altered together with the records, or a batch was committed between the two queries.
    if (hasUnexpectedLength(selection, rows.length, total)) await checkTotals(pool, key, holder.id);
    const records = rows.map((row) => recordView(row, openRecord(key, row)));
    const at = new Date(use.now).toISOString();
    await saveAccessEvent(
      pool,
      { key, ownerId: holder.id, at },
      {
        kind: 'read',
        token_id: token.id,
        grantee_id: use.user.id,
        grantee_domain: use.user.domain,
        records: records.length,
      },
    );
    return { beo_id: holder.id, records, total, has_more: filters.offset + records.length < total };
  });
}

type Selection = Omit<RecordFilters, 'categories'> & {
  readonly ownerId: string;
  /** Null for all. */
  readonly categories: { readonly scope: readonly string[] | null; readonly asked: readonly string[] | null };
  readonly scopeFrom: Instant | null;
  readonly scopeTo: Instant | null;
  /** The maximum number of visible records, the newest in scope; null for all. */
  readonly most: number | null;
};

/** Whether a page has an unexpected number of records. */
const hasUnexpectedLength = ({ limit, offset }: Selection, rows: number, total: number): boolean =>
  rows !== Math.max(0, Math.min(limit, total - offset));

type Db = ExchangeParts['pool'];

const NEWEST = 'r.collected_at DESC, r.seq DESC, r.position DESC';

/** The request's conditions on records `r`, with the values of $1…, within the token's scope. */
function conditions(selection: Selection): { where: string; values: unknown[] } {
  const { ownerId, status, categories, biomarkers, from, to } = selection;
  const values: unknown[] = [ownerId, status];
  const also = (condition: string, value: unknown): string =>
    value === null ? '' : ` AND ${condition.replace('?', `$${values.push(value)}`)}`;
  const where =
    'r.owner_id = $1 AND r.status = $2' +
    also('r.category = ANY(?::text[])', categories.asked ?? categories.scope) +
    also('r.biomarker = ANY(?::text[])', biomarkers) +
    also('r.collected_at >= ?::timestamptz', from) +
    also('r.collected_at <= ?::timestamptz', to);
  return { where, values };
}

/** The records visible to the token: if it has a maximum, the newest in scope, whatever the filters. */
function visible(selection: Selection, values: unknown[]): string {
  const { most, categories, scopeFrom, scopeTo } = selection;
  if (most === null) return 'records';
  const also = (condition: string, value: unknown): string =>
    value === null ? '' : ` AND ${condition.replace('?', `$${values.push(value)}`)}`;
  const where =
    also('r.category = ANY(?::text[])', categories.scope) +
    also('r.collected_at >= ?::timestamptz', scopeFrom) +
    also('r.collected_at <= ?::timestamptz', scopeTo);
  return `(SELECT * FROM records r WHERE r.owner_id = $1${where} ORDER BY ${NEWEST} LIMIT $${values.push(most)})`;
}

async function select(pool: Db, selection: Selection): Promise<RecordRow[]> {
  const { where, values } = conditions(selection);
  const from = visible(selection, values);
  const { rows } = await pool.query<RecordRow>({
    text: `SELECT ${RECORD_COLUMNS}, (SELECT domain FROM ieos WHERE ieos.id = r.ieo_id) AS ieo_domain FROM ${from} r
           WHERE ${where} ORDER BY ${NEWEST} LIMIT $${values.push(selection.limit)} OFFSET $${values.push(selection.offset)}`,
    values,
  });
  return rows;
}

/** Counts from the counters, unless the token or the request has a period or a maximum. */
async function count(pool: Db, selection: Selection): Promise<number> {
  const { ownerId, status, categories, biomarkers, from, to, most } = selection;
  if (most === null && from === null && to === null) {
    const { rows } = await pool.query<{ count: number }>({
      name: 'count-records',
      text: `SELECT coalesce(sum(count), 0)::bigint AS count FROM record_counts
             WHERE owner_id = $1 AND status = $2 AND ($3::text[] IS NULL OR category = ANY($3))
               AND ($4::text[] IS NULL OR biomarker = ANY($4))`,
      values: [ownerId, status, categories.asked ?? categories.scope, biomarkers],
    });
    return rows[0]?.count ?? 0;
  }
  const { where, values } = conditions(selection);
  const visibleRecords = visible(selection, values);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${visibleRecords} r WHERE ${where}`,
    values,
  );
  return rows[0]?.count ?? 0;
}
