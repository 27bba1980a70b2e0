import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Json } from '../../protocol/canonical-json.ts';
import type { PrivateRow } from '../../protocol/operation.ts';
import { decrypt, encrypt } from './cipher.ts';

/** What must be erasable (protocol §7): rows under one random data key per BEO or IEO, itself wrapped by VAULT_KEY. */
export interface Vault {
  /** Reads the data keys of some owners inside a transaction; to be passed to `sealRows`. */
  loadKeys(client: ClientBase, ownerIds: readonly string[]): Promise<Map<string, Buffer>>;
  /** Encrypts rows of one owner; makes and remembers its data key in `keys` where it has none yet. */
  sealRows(keys: Map<string, Buffer>, ownerId: string, rows: readonly PrivateRow[]): SealedRows;
  /** One row in the clear, or null where there is none (any more). */
  read(pool: Pick<Pool, 'query'>, rowId: string): Promise<Json | null>;
}

export interface SealedRows {
  readonly newKey: { readonly ownerId: string; readonly wrapped: Buffer } | null;
  readonly rows: readonly { readonly id: string; readonly ownerId: string; readonly ciphertext: Buffer }[];
}

const DATA_KEY = 32;

/** @param vaultKey 32 bytes */
export function createVault(vaultKey: Uint8Array): Vault {
  const unwrap = (ownerId: string, wrapped: Uint8Array) => decrypt(vaultKey, `key:${ownerId}`, wrapped);
  return {
    async loadKeys(client, ownerIds) {
      const { rows } = await client.query<{ owner_id: string; wrapped: Buffer }>({
        name: 'vault-keys',
        text: 'SELECT owner_id, wrapped FROM vault_keys WHERE owner_id = ANY($1::uuid[])',
        values: [ownerIds],
      });
      return new Map(rows.map(({ owner_id, wrapped }) => [owner_id, unwrap(owner_id, wrapped)]));
    },

    sealRows(keys, ownerId, rows) {
      const known = keys.get(ownerId);
      const key = known ?? randomBytes(DATA_KEY);
      keys.set(ownerId, key);
      return {
        newKey: known ? null : { ownerId, wrapped: encrypt(vaultKey, `key:${ownerId}`, key) },
        rows: rows.map(({ id, content }) => ({
          id,
          ownerId,
          ciphertext: encrypt(key, id, Buffer.from(JSON.stringify(content))),
        })),
      };
    },

    async read(pool, rowId) {
      const { rows } = await pool.query<{ owner_id: string; wrapped: Buffer; ciphertext: Buffer }>(
        'SELECT owner_id, wrapped, ciphertext FROM vault_rows JOIN vault_keys USING (owner_id) WHERE id = $1',
        [rowId],
      );
      const [row] = rows;
      if (!row) return null;
      return JSON.parse(decrypt(unwrap(row.owner_id, row.wrapped), rowId, row.ciphertext).toString()) as Json;
    },
  };
}

/** Whether a VAULT_KEY opens what the database holds; an empty vault fits every key. */
export async function vaultKeyFits(pool: Pick<Pool, 'query'>, vaultKey: Uint8Array): Promise<boolean> {
  const { rows } = await pool.query<{ owner_id: string; wrapped: Buffer }>(
    'SELECT owner_id, wrapped FROM vault_keys LIMIT 1',
  );
  const [row] = rows;
  if (!row) return true;
  try {
    decrypt(vaultKey, `key:${row.owner_id}`, row.wrapped);
    return true;
  } catch {
    return false;
  }
}
