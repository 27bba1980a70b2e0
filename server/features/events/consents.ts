import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { Scope } from '../../../protocol/entities/token.ts';
import type { ConsentSpan } from '../../../protocol/events.ts';
import type { Asked } from './source.ts';

/** A consent that an institution received. */
export interface Consent extends ConsentSpan {
  readonly id: string;
  readonly scope: Scope;
}

interface Row {
  readonly id: string;
  readonly beo_id: string;
  readonly created_seq: number;
  readonly seq: number;
  readonly revoked_at: Instant | null;
  readonly expires_at: Instant | null;
  readonly scope: Scope;
}

/** The consents that the institution received from some holders, by holder. */
export async function consentsFrom(
  { db, institution }: Pick<Asked, 'db' | 'institution'>,
  holders: readonly string[],
): Promise<ReadonlyMap<string, readonly Consent[]>> {
  const distinct = [...new Set(holders)];
  if (distinct.length === 0) return new Map();
  const { rows } = await db.query<Row>({
    name: 'consents-from',
    // As text, so that the index of all consents of the institution cannot be chosen: it may have millions.
    text: `SELECT t.id, t.beo_id, t.created_seq, t.seq, t.revoked_at, t.expires_at, t.scope
           FROM unnest($2::uuid[]) AS holder (id) JOIN effective_tokens t ON t.beo_id = holder.id
           WHERE t.grantee_kind = 'IEO' AND t.grantee_id::text = $1::text ORDER BY t.created_seq`,
    values: [institution.id, distinct],
  });
  const byHolder = new Map<string, Consent[]>();
  for (const { id, beo_id, created_seq, seq, revoked_at, expires_at, scope } of rows) {
    const revokedSeq = revoked_at === null ? null : seq;
    const consent = { id, createdSeq: created_seq, revokedSeq, expiresAt: expires_at, scope };
    const known = byHolder.get(beo_id);
    if (known) known.push(consent);
    else byHolder.set(beo_id, [consent]);
  }
  return byHolder;
}
