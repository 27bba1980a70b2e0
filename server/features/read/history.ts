import type { Pool } from 'pg';
import { tokenState } from '../../../protocol/entities/token.ts';
import { isTokenId, isUuid } from '../../../protocol/ids.ts';
import { type EntrySummary, entriesOf } from '../../ledger/read.ts';
import { available } from '../../platform/db/pool.ts';
import type { WriteServices } from '../../write/services.ts';
import type { TokenReader } from './read-token.ts';

type Parts = Pick<WriteServices, 'clock'> & { readonly tokens: TokenReader; readonly listPool: Pool };

/**
 * The ledger's entries about one entity, newest first, below the seq `before` if given. A consent may end with others
 * or with a party, and proposals change institutions; those entries have another entity's id.
 */
export async function historyOf(
  parts: Parts,
  entityId: string,
  limit: number,
  before: number | null,
): Promise<EntrySummary[]> {
  return entriesOf(parts, { entityId, elsewhere: await relatedSeqs(parts, entityId) }, limit, before);
}

/** The seqs of entries about other entities that changed this one. */
async function relatedSeqs({ listPool, clock, tokens }: Parts, id: string): Promise<readonly number[]> {
  if (isTokenId(id)) {
    const read = await tokens.byReference(id);
    return read ? [tokenState(read.token, read.parties, clock.now()).seq] : [];
  }
  if (!isUuid(id)) return [];
  const { rows } = await available(() =>
    listPool.query<{ seq: number }>({
      name: 'proposals-executed-on',
      text: 'SELECT seq FROM proposals WHERE ieo_id = $1 AND executed_at IS NOT NULL',
      values: [id],
    }),
  );
  return rows.map(({ seq }) => seq);
}
