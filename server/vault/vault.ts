import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Json } from '../../protocol/canonical-json.ts';
import type { PrivateRow } from '../../protocol/operation.ts';
import { decrypt, encrypt } from './cipher.ts';

/** What must be erasable (protocol §7): rows under one random data key per BEO, itself wrapped by VAULT_KEY. */
export interface Vault {
  /** Reads the data keys of some BEOs inside a transaction; to be passed to `sealRows`. */
  loadKeys(client: ClientBase, beoIds: readonly string[]): Promise<Map<string, Buffer>>;
  /** Encrypts rows of one BEO; makes and remembers its data key in `keys` where it has none yet. */
  sealRows(keys: Map<string, Buffer>, beoId: string, rows: readonly PrivateRow[]): SealedRows;
  /** One row in the clear, or null where there is none (any more). */
  read(pool: Pick<Pool, 'query'>, rowId: string): Promise<Json | null>;
}

export interface SealedRows {
  readonly newKey: { readonly beoId: string; readonly wrapped: Buffer } | null;
  readonly rows: readonly { readonly id: string; readonly beoId: string; readonly ciphertext: Buffer }[];
}

const DATA_KEY = 32;

/** @param vaultKey 32 bytes */
export function createVault(vaultKey: Uint8Array): Vault {
  const unwrap = (beoId: string, wrapped: Uint8Array) => decrypt(vaultKey, `key:${beoId}`, wrapped);
  return {
    async loadKeys(client, beoIds) {
      const { rows } = await client.query<{ beo_id: string; wrapped: Buffer }>({
        name: 'vault-keys',
        text: 'SELECT beo_id, wrapped FROM vault_keys WHERE beo_id = ANY($1::uuid[])',
        values: [beoIds],
      });
      return new Map(rows.map(({ beo_id, wrapped }) => [beo_id, unwrap(beo_id, wrapped)]));
    },

    sealRows(keys, beoId, rows) {
      const known = keys.get(beoId);
      const key = known ?? randomBytes(DATA_KEY);
      keys.set(beoId, key);
      return {
        newKey: known ? null : { beoId, wrapped: encrypt(vaultKey, `key:${beoId}`, key) },
        rows: rows.map(({ id, content }) => ({
          id,
          beoId,
          ciphertext: encrypt(key, id, Buffer.from(JSON.stringify(content))),
        })),
      };
    },

    async read(pool, rowId) {
      const { rows } = await pool.query<{ beo_id: string; wrapped: Buffer; ciphertext: Buffer }>(
        'SELECT beo_id, wrapped, ciphertext FROM vault_rows JOIN vault_keys USING (beo_id) WHERE id = $1',
        [rowId],
      );
      const [row] = rows;
      if (!row) return null;
      return JSON.parse(decrypt(unwrap(row.beo_id, row.wrapped), rowId, row.ciphertext).toString()) as Json;
    },
  };
}

/** Whether a VAULT_KEY opens what the database holds; an empty vault fits every key. */
export async function vaultKeyFits(pool: Pick<Pool, 'query'>, vaultKey: Uint8Array): Promise<boolean> {
  const { rows } = await pool.query<{ beo_id: string; wrapped: Buffer }>(
    'SELECT beo_id, wrapped FROM vault_keys LIMIT 1',
  );
  const [row] = rows;
  if (!row) return true;
  try {
    decrypt(vaultKey, `key:${row.beo_id}`, row.wrapped);
    return true;
  } catch {
    return false;
  }
}
