import type { Pool } from 'pg';
import { type IeoView, ieoView } from '../../protocol/entities/ieo.ts';
import type { LedgerStatus } from '../../protocol/entities/recorded.ts';
import { available } from '../db/pool.ts';
import { statusOf } from '../entities/readers.ts';
import { ieos } from '../entities/stores/ieos.ts';
import type { Row } from '../entities/stores/store.ts';

const COLUMNS = ['id', ...ieos.columns].map((column) => `e.${column}`).join(', ');
const MAX_WORDS = 8;
/** At most this many are sorted, of certified and uncertified institutions each. */
export const MAX_MATCHES = 500;

interface Parts {
  readonly listPool: Pool;
  readonly suffix: string;
}

/**
 * Finds active institutions whose name or domain has words that start with each of the typed words; certified ones
 * first, then by name. Ignores single letters and the domain suffix. If more than MAX_MATCHES match, the result is a
 * page of those found first.
 */
export async function findIeos({ listPool, suffix }: Parts, typed: string, limit: number): Promise<IeoView[]> {
  const query = queryOf(typed, suffix);
  if (query === null) return [];
  const { rows } = await available(() => listPool.query<Row>(findStatement(query, limit)));
  return rows.map((row) => ieoView(ieos.fromRow(row), row.ledger_status as LedgerStatus));
}

/** The typed words as a tsquery; null if there are none. */
function queryOf(typed: string, suffix: string): string | null {
  const all =
    typed
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = new Set(all.filter((word) => word.length > 1 && word !== suffix));
  if (words.size === 0) return null;
  return [...words]
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

const matching = (certified: '=' | '<>') => `(SELECT * FROM ieos WHERE status || '' = 'ACTIVE'
  AND cert_level || '' ${certified} 'UNCERTIFIED' AND ieo_words(display_name, domain) @@ to_tsquery('simple', $1) LIMIT ${MAX_MATCHES})`;

/** Matching stops at MAX_MATCHES before sorting. The conditions must match the indexes of migration 015. */
export const findStatement = (query: string, limit: number) => ({
  name: 'ieos-by-words',
  text: `WITH matching AS (${matching('<>')} UNION ALL ${matching('=')}),
    page AS (SELECT * FROM matching ORDER BY
      cert_level <> 'UNCERTIFIED' AND coalesce(cert_expires_at > now(), true) DESC, lower(display_name), domain LIMIT $2)
    SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status FROM page e`,
  values: [query, limit],
});
