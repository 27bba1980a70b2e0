import type { Pool } from 'pg';
import type { z } from 'zod';
import { DAY_MS } from '../../../protocol/days.ts';
import { type CertLevel, type IeoStatus, type IeoType, type IeoView, ieoView } from '../../../protocol/entities/ieo.ts';
import type { LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import type { ieoPage } from '../../../protocol/read-responses.ts';
import { statusOf } from '../../entities/readers.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { ieos } from '../../entities/stores/ieos.ts';
import type { Clock } from '../../platform/db/clock.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';

export interface IeoFilters {
  readonly status: IeoStatus | null;
  readonly ieoType: IeoType | null;
  /** Any level but UNCERTIFIED selects institutions whose certification of this level is in force. */
  readonly certLevel: CertLevel | null;
}

export interface Page {
  /** 1 to 200. */
  readonly limit: number;
  readonly cursor: string | null;
}

interface Parts {
  readonly listPool: Pool;
  readonly cursors: Cursors;
  readonly clock: Pick<Clock, 'now'>;
}

const SELECT = `SELECT ${['id', ...ieos.columns].map((column) => `e.${column}`).join(', ')}, ${statusOf('e.seq')} AS ledger_status`;

/**
 * Lists the matching institutions, newest first, and counts them. A page is read along an index from the cursor; the
 * count is the sum of counters minus expired certifications. Protocol §4.
 * @throws VALIDATION_FAILED for a cursor of another list or other filters.
 */
export async function listIeos(
  { listPool, cursors, clock }: Parts,
  filters: IeoFilters,
  page: Page,
): Promise<z.output<typeof ieoPage>> {
  const scope = `ieos ${JSON.stringify(filters)}`;
  const after = page.cursor === null ? [] : cursors.open(scope, page.cursor);
  const now = new Date(clock.now()).toISOString();
  const [rows, count] = await available(() =>
    Promise.all([
      listPool.query<Row>(pageStatement(filters, now, after, page.limit + 1)),
      listPool.query<{ count: number }>(countStatement(filters, now)),
    ]),
  );
  const shown = rows.rows.slice(0, page.limit).map((row) => ({
    ieo: ieos.fromRow(row),
    status: row.ledger_status as LedgerStatus,
  }));
  const last = shown.at(-1)?.ieo;
  const more = rows.rows.length > page.limit && last;
  return {
    ieos: shown.map(({ ieo, status }): IeoView => ieoView(ieo, status)),
    count: count.rows[0]?.count ?? 0,
    next_cursor: more ? cursors.seal(scope, [String(last.createdSeq)]) : null,
  };
}

/** How long before its end a certification is about to end, and afterwards has just ended. */
const AROUND_END_MS = 60 * DAY_MS;

/** Active institutions whose certification ends within 60 days or ended in the last 60, the earliest end first; at most 200. */
export async function listEndingCertifications({
  listPool,
  clock,
}: Omit<Parts, 'cursors'>): Promise<readonly IeoView[]> {
  const now = clock.now();
  const { rows } = await available(() =>
    listPool.query<Row>({
      name: 'ieos-ending-certifications',
      text: `${SELECT} FROM ${ieos.table} e WHERE status = 'ACTIVE' AND cert_level <> 'UNCERTIFIED'
               AND cert_expires_at BETWEEN $1 AND $2 ORDER BY cert_expires_at, id LIMIT ${MAX_PAGE_SIZE}`,
      values: [new Date(now - AROUND_END_MS).toISOString(), new Date(now + AROUND_END_MS).toISOString()],
    }),
  );
  return rows.map((row) => ieoView(ieos.fromRow(row), row.ledger_status as LedgerStatus));
}

/** `?` is the place of the value; the name identifies the text in statement names. */
interface Condition {
  readonly name: string;
  readonly text: string;
  readonly value?: string;
}

const isCertified = (level: CertLevel | null): boolean => level !== null && level !== 'UNCERTIFIED';

function conditionsOf({ status, ieoType, certLevel }: IeoFilters): Condition[] {
  // The level is a literal, as in the indexes' conditions: with a parameter they would not be used.
  const level = isCertified(certLevel) ? `status = 'ACTIVE' AND cert_level <> 'UNCERTIFIED' AND ` : '';
  return [
    ...(status === null ? [] : [{ name: 'status', text: 'status = ?', value: status }]),
    ...(ieoType === null ? [] : [{ name: 'type', text: 'ieo_type = ?', value: ieoType }]),
    ...(certLevel === null ? [] : [{ name: certLevel, text: `${level}cert_level = '${certLevel}'` }]),
  ];
}

function pageStatement(filters: IeoFilters, now: string, after: readonly string[], limit: number) {
  const inForce = { name: 'in-force', text: '(cert_expires_at IS NULL OR cert_expires_at > ?)', value: now };
  const { name, where, values } = bound([
    ...conditionsOf(filters),
    ...(isCertified(filters.certLevel) ? [inForce] : []),
    ...after.map((seq) => ({ name: 'after', text: 'created_seq < ?', value: seq })),
  ]);
  return {
    name: `ieos-${name}`,
    text: `${SELECT} FROM ieos e ${where} ORDER BY e.created_seq DESC LIMIT $${values.length + 1}`,
    values: [...values, limit],
  };
}

function countStatement(filters: IeoFilters, now: string) {
  const counted = bound(conditionsOf(filters));
  const name = `ieos-count-${counted.name}`;
  const text = `SELECT coalesce(sum(count), 0)::bigint AS count FROM ieo_counts ${counted.where}`;
  if (!isCertified(filters.certLevel)) return { name, text, values: counted.values };
  const expired = `SELECT count(*) FROM ieos ${counted.where} AND cert_expires_at <= $${counted.values.length + 1}`;
  return { name, text: `SELECT (${text}) - (${expired}) AS count`, values: [...counted.values, now] };
}

function bound(conditions: readonly Condition[]) {
  const values: string[] = [];
  const texts = conditions.map(({ text, value }) =>
    value === undefined ? text : text.replace('?', `$${values.push(value)}`),
  );
  return {
    name: conditions.map(({ name }) => name).join('-'),
    where: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`,
    values,
  };
}
