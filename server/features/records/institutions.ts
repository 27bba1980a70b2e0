import type { Pool } from 'pg';
import type { Ieo } from '../../../protocol/entities/ieo.ts';
import type { ExportedInstitution } from '../../../protocol/records/exported-record.ts';
import { STORES } from '../../entities/stores.ts';

export const exportedInstitution = ({ id, domain, displayName, ieoType, country }: Ieo): ExportedInstitution => ({
  ieo_id: id,
  domain,
  display_name: displayName,
  ieo_type: ieoType,
  country,
});

/** Reads institutions as an export meets them, each once. */
export function institutionsOf(pool: Pool) {
  const known = new Map<string, ExportedInstitution>();
  const { columns, fromRow } = STORES.IEO;
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, ExportedInstitution>> => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length > 0) {
      const { rows } = await pool.query({
        text: `SELECT id, ${columns.join(', ')} FROM ieos WHERE id = ANY($1::uuid[])`,
        values: [missing],
      });
      for (const ieo of rows.map(fromRow)) known.set(ieo.id, exportedInstitution(ieo));
    }
    return known;
  };
}
