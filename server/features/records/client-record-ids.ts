import { createHmac, hkdfSync } from 'node:crypto';
import type { Pool } from 'pg';
import { isUuid } from '../../../protocol/ids.ts';
import type { SealedRecord, SubjectIds } from '../../../protocol/operation.ts';
import { MAX_RECORD_ID } from '../../../protocol/records/record.ts';
import { clientRecordIdOf } from '../../../protocol/records/submitted.ts';

type Submitted = Pick<SealedRecord['submitted'], 'supersedes' | 'biomarker'>;

/**
 * Finds a record by the submitter's own id: an HMAC under the holder's data key, because such an id may name the
 * person. It is erased with that key. Null if the client sent no id.
 */
export function clientRef(key: Uint8Array, { grantee = '' }: SubjectIds, submitted: Readonly<Record<string, unknown>>) {
  const id = clientRecordIdOf(submitted);
  return typeof id === 'string' || typeof id === 'number' ? refOf(key, grantee, String(id)) : null;
}

function refOf(key: Uint8Array, institution: string, id: string): Buffer | null {
  if (id === '' || id.length > MAX_RECORD_ID) return null;
  const idKey = Buffer.from(hkdfSync('sha256', key, '', 'client-record-id', 32));
  return createHmac('sha256', idKey).update(`${institution}:${id}`).digest();
}

/** Finds the id of the record that another one corrects; null if it corrects none or there is none. */
export type Corrected = (submitted: Submitted) => string | null;

export const NOTHING_CORRECTED: Corrected = ({ supersedes }) =>
  supersedes && isUuid(supersedes) ? supersedes.toLowerCase() : null;

interface Candidate {
  readonly id: string;
  readonly biomarker: string;
  readonly client_ref: Buffer | null;
}

/**
 * Finds the records that a batch corrects, by record id or client id, of the same holder and institution. If several
 * have one client id: the newest, of the same biomarker if possible. Queries only if something is corrected.
 */
export async function findCorrected(
  pool: Pool,
  key: Uint8Array,
  { holder, grantee = '' }: SubjectIds,
  sealed: readonly SealedRecord[],
): Promise<Corrected> {
  const named = [...new Set(sealed.flatMap(({ submitted }) => submitted.supersedes || []))];
  if (named.length === 0) return NOTHING_CORRECTED;
  const refs = new Map(named.map((id) => [id, refOf(key, grantee, id)]));
  const { rows } = await pool.query<Candidate>({
    name: 'find-corrected',
    text: `SELECT id, biomarker, NULL AS client_ref FROM records WHERE id = ANY($3::uuid[]) AND owner_id = $1 AND ieo_id = $2
           UNION ALL
           (SELECT DISTINCT ON (client_ref, biomarker) id, biomarker, client_ref FROM records
            WHERE owner_id = $1 AND client_ref = ANY($4::bytea[])
            ORDER BY client_ref, biomarker, seq DESC, position DESC)`,
    values: [holder, grantee, named.filter(isUuid), [...refs.values()].filter((ref) => ref !== null)],
  });
  const byId = new Map(rows.filter(({ client_ref }) => client_ref === null).map((row) => [row.id, row]));
  return ({ supersedes, biomarker }) => {
    if (!supersedes) return null;
    const id = supersedes.toLowerCase();
    if (byId.has(id)) return id;
    const ref = refs.get(supersedes) ?? null;
    const candidates = ref === null ? [] : rows.filter(({ client_ref }) => client_ref?.equals(ref));
    return (
      (candidates.find((row) => row.biomarker === biomarker) ?? candidates[0])?.id ??
      NOTHING_CORRECTED({ supersedes, biomarker })
    );
  };
}
