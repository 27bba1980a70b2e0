import type { Pool } from 'pg';
import { type IeoView, ieoView } from '../../protocol/ieo.ts';
import type { LedgerStatus } from '../../protocol/recorded.ts';
import { available } from '../db/pool.ts';
import { statusOf } from './readers.ts';
import { ieos } from './stores/ieos.ts';
import type { Row } from './stores/store.ts';

const COLUMNS = ['id', ...ieos.columns].map((column) => `e.${column}`).join(', ');
/** As the index of migration 006 has it. */
const WORDS = `to_tsvector('simple', translate(
    coalesce(e.display_name, '') || ' ' || e.domain,
    '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~¡¢£§©«®°´·»¿–—‘’‚“”„†‡•…‹›€™\u00a0',
    repeat(' ', 80)
  ))`;
const MOST_WORDS = 8;

interface Parts {
  readonly pool: Pool;
  readonly suffix: string;
}

/**
 * Institutions that can be dealt with and whose name or domain has words that begin like each of those typed; by name. What says
 * nothing, single letters and the suffix of every domain, is not looked for.
 */
export async function findIeos({ pool, suffix }: Parts, typed: string, limit: number): Promise<IeoView[]> {
  const all =
    typed
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = all.filter((word) => word.length > 1 && word !== suffix);
  if (words.length === 0) return [];
  const query = words
    .slice(0, MOST_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
  const { rows } = await available(() =>
    pool.query<Row>({
      name: 'ieos-by-words',
      text: `SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status FROM ieos e
        WHERE e.status = 'ACTIVE' AND ${WORDS} @@ to_tsquery('simple', $1)
        ORDER BY lower(e.display_name), e.domain LIMIT $2`,
      values: [query, limit],
    }),
  );
  return rows.map((row) => ieoView(ieos.fromRow(row), row.ledger_status as LedgerStatus));
}
