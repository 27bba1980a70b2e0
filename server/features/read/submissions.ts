import type { Pool } from 'pg';
import type { Instant, LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { type Readers, statusOf } from '../../entities/readers.ts';
import { parseItem } from '../../ledger/ans104.ts';
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

type Row = Omit<Submission, 'records'> & { readonly item: Buffer };

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
    listPool.query<Row>({
      name: 'submissions-of-institution',
      text: `WITH wanted AS (
          SELECT e.seq, t.id AS token_id, t.beo_id FROM tokens t JOIN ledger_entries e ON e.entity_id = t.id
          WHERE t.grantee_kind = 'IEO' AND t.grantee_id = $1 AND e.function = 'submitRecords' AND e.seq < $3
          ORDER BY e.seq DESC LIMIT $2)
        SELECT e.id, e.seq, e.accepted_at, e.item, w.token_id, w.beo_id, b.domain AS beo_domain, ${statusOf('e.seq')} AS status
        FROM wanted w JOIN ledger_entries e USING (seq) JOIN beos b ON b.id = w.beo_id ORDER BY e.seq DESC`,
      values: [institution.entity.id, limit, before ?? Number.MAX_SAFE_INTEGER],
    }),
  );
  return rows.map(({ item, ...row }) => ({ ...row, records: commitmentsIn(item) }));
}

/** The number of records, for each of which the entry has a commitment (protocol §10). */
function commitmentsIn(item: Buffer): number {
  const entry: { public: { commitments: readonly string[] } } = JSON.parse(parseItem(item).data.toString());
  return entry.public.commitments.length;
}
