import type { Pool } from 'pg';
import { type CertLevel, type IeoStatus, type IeoType, type IeoView, ieoView } from '../../protocol/ieo.ts';
import type { LedgerStatus } from '../../protocol/recorded.ts';
import { available } from '../db/pool.ts';
import type { Cursors } from '../paging/cursor.ts';
import { statusOf } from './readers.ts';
import { ieos } from './stores/ieos.ts';
import type { Row } from './stores/store.ts';

export interface IeoFilters {
  readonly status: IeoStatus | null;
  readonly ieoType: IeoType | null;
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
}

const COLUMN: Readonly<Record<keyof IeoFilters, string>> = {
  status: 'status',
  ieoType: 'ieo_type',
  certLevel: 'cert_level',
};
const NAMES = Object.keys(COLUMN) as (keyof IeoFilters)[];
const SELECT = `SELECT ${['id', ...ieos.columns].map((column) => `e.${column}`).join(', ')}, ${statusOf('e.seq')} AS ledger_status`;

/**
 * Institutions that fit, newest first, and how many there are of them. A page is read along an index from where the last one
 * ended, and the number is the sum of counters, so neither depends on how many institutions there are. Protocol §4.
 * @throws VALIDATION_FAILED for a cursor that is not of this list and these filters.
 */
export async function listIeos({ listPool, cursors }: Parts, filters: IeoFilters, page: Page) {
  const named = NAMES.filter((name) => filters[name] !== null);
  const values = named.map((name) => filters[name]);
  const conditions = named.map((name, index) => `${COLUMN[name]} = $${index + 1}`);
  const scope = `ieos ${JSON.stringify(filters)}`;
  const after = page.cursor === null ? [] : cursors.open(scope, page.cursor);
  const position = after.length > 0 ? [`created_seq < $${values.length + 2}`] : [];
  const filtered = [named.join('-'), after.length > 0 ? 'after' : 'first'].join('-');
  const [rows, count] = await available(() =>
    Promise.all([
      listPool.query<Row>({
        name: `ieos-${filtered}`,
        text: `${SELECT} FROM ieos e ${where([...conditions, ...position])}
               ORDER BY e.created_seq DESC LIMIT $${values.length + 1}`,
        values: [...values, page.limit + 1, ...after],
      }),
      listPool.query<{ count: number }>({
        name: `ieos-count-${named.join('-')}`,
        text: `SELECT coalesce(sum(count), 0)::bigint AS count FROM ieo_counts ${where(conditions)}`,
        values,
      }),
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

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
