import type { Pool } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { byteRun } from '../../platform/db/byte-run.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { SealedRows } from './vault.ts';

export const saveVaultKeys = (keys: readonly NonNullable<SealedRows['newKey']>[]): Statement => ({
  name: 'save-vault-keys',
  text: `INSERT INTO vault_keys (owner_id, wrapped, key_id) SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[])`,
  values: [keys.map(({ ownerId }) => ownerId), keys.map(({ wrapped }) => wrapped), keys.map(({ keyId }) => keyId)],
});

export function saveVaultRows(rows: SealedRows['rows']): Statement {
  const { bytes, starts, lengths } = byteRun(rows.map(({ ciphertext }) => ciphertext));
  return {
    name: 'save-vault-rows',
    text: `INSERT INTO vault_rows AS kept (id, owner_id, ciphertext)
           SELECT id, owner_id, substring($5::bytea FROM start FOR length)
           FROM unnest($1::text[], $2::uuid[], $3::int[], $4::int[]) AS r (id, owner_id, start, length)
           ON CONFLICT (id) DO UPDATE SET ciphertext = EXCLUDED.ciphertext WHERE kept.owner_id = EXCLUDED.owner_id`,
    values: [rows.map(({ id }) => id), rows.map(({ ownerId }) => ownerId), starts, lengths, bytes],
  };
}

export interface RowExpiry {
  readonly rowId: string;
  readonly ownerId: string;
  readonly at: Instant;
}

/** Schedules rows for deletion. */
export const saveRowExpiries = (expiries: readonly RowExpiry[]): Statement => ({
  name: 'save-lapses',
  text: `INSERT INTO vault_lapses (row_id, owner_id, at)
         SELECT row_id, key.owner_id, at FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS l (row_id, owner_id, at)
         JOIN vault_keys key ON key.owner_id = l.owner_id ON CONFLICT DO NOTHING`,
  values: [expiries.map(({ rowId }) => rowId), expiries.map(({ ownerId }) => ownerId), expiries.map(({ at }) => at)],
});

export const deleteVaultRows = (ids: readonly string[]): Statement => ({
  name: 'delete-vault-rows',
  text: 'DELETE FROM vault_rows WHERE id = ANY($1::text[])',
  values: [ids],
});

/** Deleting an owner's data key also deletes its vault rows, records and access events. Protocol §7. */
export const deleteVaultKeys = (ownerIds: readonly string[]): Statement => ({
  name: 'delete-vault-keys',
  text: 'DELETE FROM vault_keys WHERE owner_id = ANY($1::uuid[])',
  values: [ownerIds],
});

/** The planner's estimates, because counting would read the whole vault; null before the first ANALYZE of a table. */
export async function estimateRows(
  db: Pick<Pool, 'query'>,
): Promise<{ readonly keys: number | null; readonly rows: number | null }> {
  const { rows } = await db.query<{ keys: number | null; rows: number | null }>({
    name: 'estimate-vault-rows',
    text: `SELECT (SELECT nullif(reltuples, -1)::float8 FROM pg_class WHERE oid = 'vault_keys'::regclass) AS keys,
             (SELECT nullif(reltuples, -1)::float8 FROM pg_class WHERE oid = 'vault_rows'::regclass) AS rows`,
  });
  return rows[0] ?? { keys: null, rows: null };
}
