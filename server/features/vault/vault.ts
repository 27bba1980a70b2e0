import type { ClientBase, Pool } from 'pg';
import type { PrivateRow } from '../../../protocol/operation.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { ConfigError } from '../../config.ts';
import { decrypt, encrypt } from './cipher.ts';
import { keyIdOf, newDataKey, unwrapKey, wrapKey } from './data-key.ts';

/**
 * Erasable data (protocol §7): rows encrypted under one random data key per BEO or IEO, itself wrapped by VAULT_KEY.
 */
export interface Vault {
  /** Loads data keys inside a transaction; pass them to `sealRows`. */
  loadKeys(client: ClientBase, ownerIds: readonly string[]): Promise<Map<string, Buffer>>;
  /** Encrypts rows of one owner. If it has no data key yet, adds `fresh` to `keys`. */
  sealRows(keys: Map<string, Buffer>, ownerId: string, rows: readonly PrivateRow[], fresh?: Buffer): SealedRows;
  /**
   * The data key of an owner, created and stored if there is none. Null for a destroyed identity, which gets no new key.
   */
  ensureKey(pool: Pool, ownerId: string): Promise<Buffer | null>;
  /** Stores one row outside a batch, in place of an earlier one, for an owner with a data key. Returns false for another one. */
  save(db: Pick<Pool, 'query'>, ownerId: string, row: PrivateRow): Promise<boolean>;
  /** The data key of an owner, or null. */
  existingKey(db: Pick<Pool, 'query'>, ownerId: string): Promise<Buffer | null>;
  /** One decrypted row, or null. */
  read(pool: Pick<Pool, 'query'>, rowId: string): Promise<Json | null>;
  /** Decrypted rows of any owners, by id; missing rows are omitted. */
  readAll(db: Pick<Pool, 'query'>, rowIds: readonly string[]): Promise<ReadonlyMap<string, Json>>;
  /** Decrypted rows of one owner, by id; missing rows are omitted. */
  readRows(db: Pick<Pool, 'query'>, ownerId: string, rowIds: readonly string[]): Promise<ReadonlyMap<string, Json>>;
}

export interface SealedRows {
  readonly newKey: { readonly ownerId: string; readonly wrapped: Buffer; readonly keyId: string } | null;
  readonly rows: readonly { readonly id: string; readonly ownerId: string; readonly ciphertext: Buffer }[];
}

/** @param vaultKey 32 bytes */
export function createVault(vaultKey: Uint8Array): Vault {
  const keyId = keyIdOf(vaultKey);
  const unwrap = (ownerId: string, wrapped: Uint8Array) => unwrapKey(vaultKey, ownerId, wrapped);
  return {
    async loadKeys(client, ownerIds) {
      const { rows } = await client.query<{ owner_id: string; wrapped: Buffer }>({
        name: 'vault-keys',
        text: 'SELECT owner_id, wrapped FROM vault_keys WHERE owner_id = ANY($1::uuid[])',
        values: [ownerIds],
      });
      return new Map(rows.map(({ owner_id, wrapped }) => [owner_id, unwrap(owner_id, wrapped)]));
    },

    sealRows(keys, ownerId, rows, fresh = newDataKey()) {
      const known = keys.get(ownerId);
      const key = known ?? fresh;
      keys.set(ownerId, key);
      return {
        newKey: known ? null : { ownerId, wrapped: wrapKey(vaultKey, ownerId, key), keyId },
        rows: rows.map(({ id, content }) => ({
          id,
          ownerId,
          ciphertext: encrypt(key, id, Buffer.from(JSON.stringify(content))),
        })),
      };
    },

    async ensureKey(pool, ownerId) {
      const known = await this.existingKey(pool, ownerId);
      if (known) return known;
      const wrapped = wrapKey(vaultKey, ownerId, newDataKey());
      // The lock waits for a destruction in progress.
      await pool.query(
        `INSERT INTO vault_keys (owner_id, wrapped, key_id)
         SELECT id, $2, $3 FROM (SELECT id FROM beos WHERE id = $1 AND status <> 'DESTROYED' FOR SHARE) AS living
         ON CONFLICT DO NOTHING`,
        [ownerId, wrapped, keyId],
      );
      return this.existingKey(pool, ownerId);
    },

    async save(db, ownerId, { id, content }) {
      const key = await this.existingKey(db, ownerId);
      if (!key) return false;
      // The lock waits for a destruction in progress, which deletes the key.
      const { rowCount } = await db.query({
        name: 'save-one-vault-row',
        text: `INSERT INTO vault_rows AS kept (id, owner_id, ciphertext)
               SELECT $1, owner_id, $3 FROM (SELECT owner_id FROM vault_keys WHERE owner_id = $2 FOR KEY SHARE) AS living
               ON CONFLICT (id) DO UPDATE SET ciphertext = EXCLUDED.ciphertext WHERE kept.owner_id = EXCLUDED.owner_id`,
        values: [id, ownerId, encrypt(key, id, Buffer.from(JSON.stringify(content)))],
      });
      return rowCount === 1;
    },

    async existingKey(db, ownerId) {
      const { rows } = await db.query<{ wrapped: Buffer }>({
        name: 'vault-key',
        text: 'SELECT wrapped FROM vault_keys WHERE owner_id = $1',
        values: [ownerId],
      });
      return rows[0] ? unwrap(ownerId, rows[0].wrapped) : null;
    },

    async read(pool, rowId) {
      return (await this.readAll(pool, [rowId])).get(rowId) ?? null;
    },

    async readAll(db, rowIds) {
      const { rows } = await db.query<{ id: string; owner_id: string; wrapped: Buffer; ciphertext: Buffer }>({
        name: 'read-any-vault-rows',
        text: `SELECT id, owner_id, wrapped, ciphertext FROM vault_rows JOIN vault_keys USING (owner_id)
               WHERE id = ANY($1::text[])`,
        values: [rowIds],
      });
      return new Map(
        rows.map(({ id, owner_id, wrapped, ciphertext }) => {
          return [id, JSON.parse(decrypt(unwrap(owner_id, wrapped), id, ciphertext).toString()) as Json];
        }),
      );
    },

    async readRows(db, ownerId, rowIds) {
      const { rows } = await db.query<{ id: string; wrapped: Buffer; ciphertext: Buffer }>({
        name: 'read-vault-rows',
        text: `SELECT id, wrapped, ciphertext FROM vault_rows JOIN vault_keys USING (owner_id)
               WHERE owner_id = $1 AND id = ANY($2::text[])`,
        values: [ownerId, rowIds],
      });
      return new Map(
        rows.map(({ id, wrapped, ciphertext }) => {
          return [id, JSON.parse(decrypt(unwrap(ownerId, wrapped), id, ciphertext).toString()) as Json];
        }),
      );
    },
  };
}

/** Locked exclusively while the vault is rotated; a starting service checks it. */
export const VAULT_LOCK = 7_305_013;

/** The number of rows without a key id that are tried. All of them had the same key. */
const MAX_TRIED = 1_000;

interface Wrapped {
  readonly owner_id: string;
  readonly wrapped: Buffer;
  readonly key_id: string | null;
}

/**
 * Whether a VAULT_KEY opens the whole vault, in time independent of its size. Every key fits a vault that none has claimed.
 * @throws {ConfigError} during a rotation, and after an unfinished one
 */
export async function vaultKeyFits(pool: Pick<Pool, 'query'>, vaultKey: Uint8Array): Promise<boolean> {
  const keyId = keyIdOf(vaultKey);
  const { rows } = await pool.query<{ free: boolean; others: boolean }>(
    `SELECT pg_try_advisory_xact_lock_shared($1) AS free,
       EXISTS (SELECT FROM vault_keys WHERE key_id < $2) OR EXISTS (SELECT FROM vault_keys WHERE key_id > $2)
         OR EXISTS (SELECT FROM service_keys WHERE key_id <> $2) AS others`,
    [VAULT_LOCK, keyId],
  );
  if (!rows[0]?.free) {
    throw new ConfigError('The vault in this database is being rotated; start again when that is done.');
  }
  const { rows: samples } = await pool.query<Wrapped>(
    `(SELECT owner_id, wrapped, key_id FROM vault_keys WHERE key_id = $1 LIMIT 1) UNION ALL
     (SELECT owner_id, wrapped, key_id FROM vault_keys WHERE key_id IS NULL LIMIT $2)`,
    [keyId, MAX_TRIED],
  );
  const opened = samples.filter((row) => opens(vaultKey, row)).length;
  const fits = opened === samples.length && !rows[0].others;
  if (!fits && samples.length > 0 && (rows[0].others || opened > 0)) {
    throw new ConfigError(
      'The data keys in this database are not all wrapped by one VAULT_KEY: run "npm run rotate-vault-key" again until it finishes; ' +
        'nothing was changed.',
    );
  }
  return fits;
}

/** The row of service_keys that names the VAULT_KEY of an empty vault. A rotation wraps it again, as it does the others. */
const CLAIM = 'vault';

/** Reserves a vault for a VAULT_KEY that fits. Returns false if another process has reserved it for another one. */
export async function claimVault(pool: Pick<Pool, 'query'>, vaultKey: Uint8Array): Promise<boolean> {
  await pool.query('INSERT INTO service_keys (name, wrapped, key_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    CLAIM,
    wrapKey(vaultKey, CLAIM, newDataKey()),
    keyIdOf(vaultKey),
  ]);
  return vaultKeyFits(pool, vaultKey);
}

function opens(vaultKey: Uint8Array, { owner_id, wrapped }: Wrapped): boolean {
  try {
    unwrapKey(vaultKey, owner_id, wrapped);
    return true;
  } catch {
    return false;
  }
}
