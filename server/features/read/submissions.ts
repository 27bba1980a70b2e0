import type { Pool } from 'pg';
import type { Instant, LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { type Readers, statusOf } from '../../entities/readers.ts';
import { available } from '../../platform/db/pool.ts';

interface Parts {
  readonly readers: Readers;
  readonly listPool: Pool;
}

/** A submission as the ledger shows it: never what the records are. */
export interface Submission {
  readonly id: string;
  readonly seq: number;
  readonly accepted_at: Instant;
  readonly status: LedgerStatus;
  readonly token_id: string;
  readonly beo_id: string;
  /** Null once the identity is destroyed. */
  readonly beo_domain: string | null;
  readonly records: number;
}

/**
 * The submissions of an institution under any consent, newest first, below the seq `before` if given.
 * @throws VALIDATION_FAILED, IEO_NOT_FOUND
 */
export async function submissionsOf(
  { readers, listPool }: Parts,
  reference: string,
  limit: number,
  before: number | null,
): Promise<Submission[]> {
  const institution = await readers.IEO.byReference(reference, 'ieoId');
  if (!institution) throw refusal('IEO_NOT_FOUND');
  const { rows } = await available(() =>
    listPool.query<Submission>(submissionsStatement(institution.entity.id, limit, before)),
  );
  return rows;
}

/** Reads the rows of the page only: each LIMIT keeps the planner from joining the whole of a table in its order. */
export const submissionsStatement = (ieoId: string, limit: number, before: number | null) => ({
  name: 'submissions-of-institution',
  text: `SELECT e.id, p.seq, e.accepted_at, p.token_id, t.beo_id, b.domain AS beo_domain, p.records, ${statusOf('p.seq')} AS status
    FROM submissions_before($1, $3, $2) p,
      LATERAL (SELECT id, accepted_at FROM ledger_entries WHERE seq = p.seq LIMIT 1) e,
      LATERAL (SELECT beo_id FROM tokens WHERE id = p.token_id LIMIT 1) t,
      LATERAL (SELECT domain FROM beos WHERE id = t.beo_id LIMIT 1) b
    ORDER BY p.seq DESC`,
  values: [ieoId, limit, before ?? Number.MAX_SAFE_INTEGER],
});
