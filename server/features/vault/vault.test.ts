import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rewrapServiceKeys } from '../../../commands/vault-key/rewrap-keys.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { ConfigError } from '../../config.ts';
import { createPool } from '../../platform/db/pool.ts';
import { runAll } from '../../platform/db/statement.ts';
import { migratedDatabase } from '../../platform/db/test-database.ts';
import { labelsAssociatedData } from '../records/record-binding.ts';
import { decrypt, encrypt } from './cipher.ts';
import { keyIdOf, wrapKey } from './data-key.ts';
import { claimVault, createVault, VAULT_LOCK, vaultKeyFits } from './vault.ts';
import { deleteVaultKeys, saveVaultKeys, saveVaultRows } from './vault-rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await migratedDatabase();
  pool = createPool(database.url, 2, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const vaultKey = randomBytes(32);
const vault = createVault(vaultKey);

/** Stores rows in the vault as a batch does. */
async function store(beoId: string, contents: Record<string, Json>): Promise<void> {
  const client = await pool.connect();
  try {
    const rows = Object.entries(contents).map(([id, content]) => ({ id, content }));
    const sealed = vault.sealRows(await vault.loadKeys(client, [beoId]), beoId, rows);
    await runAll(client, [saveVaultKeys(sealed.newKey ? [sealed.newKey] : [])]);
    await runAll(client, [saveVaultRows(sealed.rows)]);
  } finally {
    client.release();
  }
}

describe('a row of the vault', () => {
  test('is read as it was stored', async () => {
    const beoId = randomUUID();
    const content = { name: 'Zoë 💚', nested: [1, null, { deep: true }], empty: '' };
    await store(beoId, { [`row:${beoId}`]: content });
    expect(await vault.read(pool, `row:${beoId}`)).toEqual(content);
    expect(await vault.read(pool, 'row:unknown')).toBe(null);
  });

  test('is encrypted under one key per identity, which later rows share', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await store(first, { [`first:${first}`]: 'a' });
    await store(first, { [`second:${first}`]: 'b', [`third:${first}`]: 'c' });
    await store(second, { [`first:${second}`]: 'd' });
    const { rows } = await pool.query('SELECT owner_id FROM vault_keys WHERE owner_id = ANY($1)', [[first, second]]);
    expect(rows).toHaveLength(2);
    expect(await vault.read(pool, `third:${first}`)).toBe('c');
    expect(await vault.read(pool, `first:${second}`)).toBe('d');
  });

  test('cannot be moved to another row, another identity or another vault', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await store(first, { [`a:${first}`]: 'row of first', [`b:${first}`]: 'second row' });
    await store(second, { [`a:${second}`]: 'row of second' });
    const copy = 'UPDATE vault_rows SET ciphertext = (SELECT ciphertext FROM vault_rows WHERE id = $2) WHERE id = $1';
    await pool.query(copy, [`b:${first}`, `a:${first}`]);
    await expect(vault.read(pool, `b:${first}`)).rejects.toThrow();
    await pool.query(copy, [`a:${second}`, `a:${first}`]);
    await expect(vault.read(pool, `a:${second}`)).rejects.toThrow();
    await pool.query('UPDATE vault_rows SET owner_id = $1 WHERE id = $2', [second, `a:${first}`]);
    await expect(vault.read(pool, `a:${first}`)).rejects.toThrow();
    await expect(createVault(randomBytes(32)).read(pool, `a:${second}`)).rejects.toThrow();
  });

  test('cannot be opened with a data key that was moved to another identity', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await store(first, { [`k:${first}`]: 'row of first' });
    await store(second, { [`k:${second}`]: 'row of second' });
    await pool.query(
      'UPDATE vault_keys SET wrapped = (SELECT wrapped FROM vault_keys WHERE owner_id = $2) WHERE owner_id = $1',
      [first, second],
    );
    await expect(vault.read(pool, `k:${first}`)).rejects.toThrow();
    await expect(vault.existingKey(pool, first)).rejects.toThrow();
    await expect(vault.ensureKey(pool, first)).rejects.toThrow();
    expect(await vault.read(pool, `k:${second}`)).toBe('row of second');
    await pool.query('DELETE FROM vault_keys WHERE owner_id = $1', [first]);
  });

  test('has a data key with the id of its vault key, both from a batch and from a read', async () => {
    const [fromBatch, fromRead] = [randomUUID(), randomUUID()];
    await store(fromBatch, { [`q:${fromBatch}`]: 1 });
    await pool.query(
      `INSERT INTO beos (id, key_version, status, created_at, updated_at, transaction_id, seq)
       VALUES ($1, 1, 'ACTIVE', now(), now(), 't', 1)`,
      [fromRead],
    );
    const key = await vault.ensureKey(pool, fromRead);
    expect(await vault.existingKey(pool, fromRead)).toEqual(key);
    const { rows } = await pool.query('SELECT key_id FROM vault_keys WHERE owner_id = ANY($1)', [
      [fromBatch, fromRead],
    ]);
    expect(rows).toEqual([{ key_id: keyIdOf(vaultKey) }, { key_id: keyIdOf(vaultKey) }]);
    expect(keyIdOf(vaultKey)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyIdOf(randomBytes(32))).not.toBe(keyIdOf(vaultKey));
  });

  test('is deleted with its data key', async () => {
    const [deleted, kept] = [randomUUID(), randomUUID()];
    await store(deleted, { [`x:${deleted}`]: 1, [`y:${deleted}`]: 2 });
    await store(kept, { [`x:${kept}`]: 3 });
    const client = await pool.connect();
    await runAll(client, [deleteVaultKeys([deleted])]);
    client.release();
    for (const table of ['vault_keys', 'vault_rows']) {
      const { rows } = await pool.query(`SELECT owner_id FROM ${table} WHERE owner_id = ANY($1)`, [[deleted, kept]]);
      expect(rows).toEqual([{ owner_id: kept }]);
    }
    expect(await vault.read(pool, `x:${deleted}`)).toBe(null);
    expect(await vault.read(pool, `x:${kept}`)).toBe(3);
  });
});

describe('a vault key', () => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let emptyPool: Pool;
  beforeAll(async () => {
    database = await migratedDatabase();
    emptyPool = createPool(database.url, 2, () => undefined);
  });
  afterAll(async () => {
    await emptyPool.end();
    await database.drop();
  });

  /** A vault with only these data keys; `hasId` stores the vault key's id in the row. */
  async function wrappedBy(...keys: { key: Buffer; hasId: boolean }[]): Promise<Pool> {
    await emptyPool.query('DELETE FROM vault_keys');
    for (const { key, hasId } of keys) {
      const ownerId = randomUUID();
      const values = [ownerId, wrapKey(key, ownerId, randomBytes(32)), hasId ? keyIdOf(key) : null];
      await emptyPool.query('INSERT INTO vault_keys (owner_id, wrapped, key_id) VALUES ($1, $2, $3)', values);
    }
    return emptyPool;
  }

  const [own, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
  const withId = (key: Buffer) => ({ key, hasId: true });
  const withoutId = (key: Buffer) => ({ key, hasId: false });

  test('fits an empty vault and data keys that it wrapped, with or without a key id', async () => {
    expect(await vaultKeyFits(await wrappedBy(), own)).toBe(true);
    expect(await vaultKeyFits(await wrappedBy(withId(own), withoutId(own), withId(own)), own)).toBe(true);
    expect(await vaultKeyFits(await wrappedBy(withoutId(own), withoutId(own)), own)).toBe(true);
  });

  test('does not fit data keys of other vault keys', async () => {
    expect(await vaultKeyFits(await wrappedBy(withId(second), withId(second)), own)).toBe(false);
    expect(await vaultKeyFits(await wrappedBy(withId(second), withId(third)), own)).toBe(false);
    expect(await vaultKeyFits(await wrappedBy(withoutId(second), withoutId(third)), own)).toBe(false);
  });

  test.each([
    ['one of another key', [withId(own), withId(own), withId(second)]],
    ['one without a key id', [withId(own), withoutId(second)]],
    ['all except those without a key id', [withoutId(own), withId(second)]],
    ['one of those without a key id', [withoutId(own), withoutId(second)]],
  ])('does not fit a partly rotated vault, and the error explains how to continue: %s', async (_, keys) => {
    const mixed = await wrappedBy(...keys);
    const refusal = await vaultKeyFits(mixed, own).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect((refusal as Error).message).toContain('run "npm run rotate-vault-key" again');
  });

  test('claims an empty vault for all processes, until a rotation replaces it', async () => {
    const empty = await wrappedBy();
    expect((await Promise.all([claimVault(empty, own), claimVault(empty, own)])).every(Boolean)).toBe(true);
    expect([await claimVault(empty, second), await vaultKeyFits(empty, second)]).toEqual([false, false]);
    const client = await empty.connect();
    await rewrapServiceKeys(client, { from: own, to: second });
    client.release();
    expect([await vaultKeyFits(empty, own), await vaultKeyFits(empty, second)]).toEqual([false, true]);
    await empty.query('DELETE FROM service_keys');
  });

  test('is refused during a rotation', async () => {
    const rotating = await wrappedBy(withId(own));
    const client = await rotating.connect();
    await client.query('SELECT pg_advisory_lock($1)', [VAULT_LOCK]);
    await expect(vaultKeyFits(rotating, own)).rejects.toThrow('is being rotated');
    await client.query('SELECT pg_advisory_unlock($1)', [VAULT_LOCK]);
    client.release();
    expect(await vaultKeyFits(rotating, own)).toBe(true);
  });

  test('is checked with an index in a large vault', async () => {
    const large = await wrappedBy(withId(own));
    await large.query(
      `INSERT INTO vault_keys (owner_id, wrapped, key_id)
       SELECT gen_random_uuid(), '\\x00', $1 FROM generate_series(1, 20000)`,
      [keyIdOf(own)],
    );
    await large.query('ANALYZE vault_keys');
    const { rows } = await large.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT EXISTS (SELECT FROM vault_keys WHERE key_id < '${keyIdOf(own)}')`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('vault_keys_key_id');
  });
});

describe('the cipher', () => {
  const key = randomBytes(32);

  test('round-trips, with a different ciphertext each time', () => {
    for (const plain of [Buffer.alloc(0), Buffer.from('a'), randomBytes(10_000)]) {
      const [first, second] = [encrypt(key, 'row', plain), encrypt(key, 'row', plain)];
      expect(decrypt(key, 'row', first)).toEqual(plain);
      expect(first).toHaveLength(plain.length + 28);
      expect(first.equals(second)).toBe(false);
    }
  });

  test('detects changed bytes, truncation and other associated data', () => {
    const sealed = encrypt(key, 'row', Buffer.from('secret'));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => decrypt(key, 'row', changed)).toThrow();
    }
    for (const length of [0, 1, 12, 27, sealed.length - 1]) {
      expect(() => decrypt(key, 'row', sealed.subarray(0, length))).toThrow();
    }
    expect(() => decrypt(key, 'rows', sealed)).toThrow();
    const id = randomUUID();
    const labels = { id, owner_id: randomUUID(), ieo_id: randomUUID(), token_id: `tok_${randomUUID()}` };
    const measured = { biomarker: 'BSP-CV-001', category: 'BSP-CV', collected_at: '2026-01-01T00:00:00.000Z' };
    const placed = { ...labels, ...measured, position: 0, client_ref: null };
    const record = encrypt(key, labelsAssociatedData(placed), Buffer.from('secret'));
    for (const otherData of [labelsAssociatedData({ ...placed, id: randomUUID() }), `record:${id}`, `access:${id}`, id])
      expect(() => decrypt(key, otherData, record)).toThrow();
    expect(() => decrypt(randomBytes(32), 'row', sealed)).toThrow();
  });
});
