import type { Pool } from 'pg';
import { type IeoView, ieoView } from '../../../protocol/entities/ieo.ts';
import type { LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { statusOf } from '../../entities/readers.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { ieos } from '../../entities/stores/ieos.ts';
import { available } from '../../platform/db/pool.ts';

const COLUMNS = ['id', ...ieos.columns].map((column) => `e.${column}`).join(', ');
const MAX_WORDS = 8;
/** At most this many are sorted, of certified, uncertified and inactive institutions each. */
export const MAX_MATCHES = 500;

export interface FindParts {
  readonly listPool: Pool;
  readonly suffix: string;
}

/**
 * Finds institutions whose name or domain has words that start with each of the typed words; certified ones first, then
 * by name, and inactive ones last, if wanted. Ignores single letters and the domain suffix. If more than MAX_MATCHES
 * match, the result is a page of those found first.
 */
export async function findIeos(
  { listPool, suffix }: FindParts,
  typed: string,
  limit: number,
  { inactive = false } = {},
): Promise<IeoView[]> {
  const query = queryOf(typed, suffix);
  if (query === null) return [];
  const { rows } = await available(() => listPool.query<Row>(findStatement(query, limit, inactive)));
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

const CERTIFIED = `status || '' = 'ACTIVE' AND cert_level || '' <> 'UNCERTIFIED'`;
const UNCERTIFIED = `status || '' = 'ACTIVE' AND cert_level || '' = 'UNCERTIFIED'`;
const INACTIVE = `status || '' <> 'ACTIVE'`;

const matching = (condition: string) => `(SELECT * FROM ieos WHERE ${condition}
  AND ieo_words(display_name, domain) @@ to_tsquery('simple', $1) LIMIT ${MAX_MATCHES})`;

/** Matching stops at MAX_MATCHES before sorting. The conditions must match the indexes of migrations 015 and 016. */
export const findStatement = (query: string, limit: number, inactive = false) => ({
  name: inactive ? 'ieos-of-any-status-by-words' : 'ieos-by-words',
  text: `WITH matching AS (${[CERTIFIED, UNCERTIFIED, ...(inactive ? [INACTIVE] : [])].map(matching).join(' UNION ALL ')}),
    page AS (SELECT * FROM matching ORDER BY status = 'ACTIVE' DESC,
      cert_level <> 'UNCERTIFIED' AND coalesce(cert_expires_at > now(), true) DESC, lower(display_name), domain LIMIT $2)
    SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status FROM page e`,
  values: [query, limit],
});
