import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { ConfigError } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { runAll } from '../db/statement.ts';
import { freshDatabase } from '../db/test-database.ts';
import { labelsAssociatedData } from '../records/record-binding.ts';
import { decrypt, encrypt } from './cipher.ts';
import { keyIdOf, wrapKey } from './data-key.ts';
import { createVault, VAULT_LOCK, vaultKeyFits } from './vault.ts';
import { deleteVaultKeys, saveVaultKeys, saveVaultRows } from './vault-rows.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, 2, () => undefined);
  await migrate(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const vaultKey = randomBytes(32);
const vault = createVault(vaultKey);

/** Puts rows into the vault as a batch does. */
async function keep(beoId: string, contents: Record<string, Json>): Promise<void> {
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

describe('what is in the vault', () => {
  test('is read back as it was put in', async () => {
    const beoId = randomUUID();
    const content = { name: 'Zoë 💚', nested: [1, null, { deep: true }], empty: '' };
    await keep(beoId, { [`row:${beoId}`]: content });
    expect(await vault.read(pool, `row:${beoId}`)).toEqual(content);
    expect(await vault.read(pool, 'row:nobody')).toBe(null);
  });

  test('is under one key per identity, which what comes later uses too', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await keep(one, { [`first:${one}`]: 'a' });
    await keep(one, { [`second:${one}`]: 'b', [`third:${one}`]: 'c' });
    await keep(two, { [`first:${two}`]: 'd' });
    const { rows } = await pool.query('SELECT owner_id FROM vault_keys WHERE owner_id = ANY($1)', [[one, two]]);
    expect(rows).toHaveLength(2);
    expect(await vault.read(pool, `third:${one}`)).toBe('c');
    expect(await vault.read(pool, `first:${two}`)).toBe('d');
  });

  test('cannot be moved to another row, another identity or another vault', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await keep(one, { [`a:${one}`]: 'mine', [`b:${one}`]: 'mine too' });
    await keep(two, { [`a:${two}`]: 'yours' });
    const copy = 'UPDATE vault_rows SET ciphertext = (SELECT ciphertext FROM vault_rows WHERE id = $2) WHERE id = $1';
    await pool.query(copy, [`b:${one}`, `a:${one}`]);
    await expect(vault.read(pool, `b:${one}`)).rejects.toThrow();
    await pool.query(copy, [`a:${two}`, `a:${one}`]);
    await expect(vault.read(pool, `a:${two}`)).rejects.toThrow();
    await pool.query('UPDATE vault_rows SET owner_id = $1 WHERE id = $2', [two, `a:${one}`]);
    await expect(vault.read(pool, `a:${one}`)).rejects.toThrow();
    await expect(createVault(randomBytes(32)).read(pool, `a:${two}`)).rejects.toThrow();
  });

  test('cannot be opened with a data key that was moved to another identity', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await keep(one, { [`k:${one}`]: 'mine' });
    await keep(two, { [`k:${two}`]: 'yours' });
    await pool.query(
      'UPDATE vault_keys SET wrapped = (SELECT wrapped FROM vault_keys WHERE owner_id = $2) WHERE owner_id = $1',
      [one, two],
    );
    await expect(vault.read(pool, `k:${one}`)).rejects.toThrow();
    await expect(vault.existingKey(pool, one)).rejects.toThrow();
    await expect(vault.ensureKey(pool, one)).rejects.toThrow();
    expect(await vault.read(pool, `k:${two}`)).toBe('yours');
    await pool.query('DELETE FROM vault_keys WHERE owner_id = $1', [one]);
  });

  test('says by which key its data key was wrapped, whoever wrote it', async () => {
    const [committed, asked] = [randomUUID(), randomUUID()];
    await keep(committed, { [`q:${committed}`]: 1 });
    await pool.query(
      `INSERT INTO beos (id, key_version, status, created_at, updated_at, transaction_id, seq)
       VALUES ($1, 1, 'ACTIVE', now(), now(), 't', 1)`,
      [asked],
    );
    const key = await vault.ensureKey(pool, asked);
    expect(await vault.existingKey(pool, asked)).toEqual(key);
    const { rows } = await pool.query('SELECT key_id FROM vault_keys WHERE owner_id = ANY($1)', [[committed, asked]]);
    expect(rows).toEqual([{ key_id: keyIdOf(vaultKey) }, { key_id: keyIdOf(vaultKey) }]);
    expect(keyIdOf(vaultKey)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyIdOf(randomBytes(32))).not.toBe(keyIdOf(vaultKey));
  });

  test('ends with its key', async () => {
    const [gone, kept] = [randomUUID(), randomUUID()];
    await keep(gone, { [`x:${gone}`]: 1, [`y:${gone}`]: 2 });
    await keep(kept, { [`x:${kept}`]: 3 });
    const client = await pool.connect();
    await runAll(client, [deleteVaultKeys([gone])]);
    client.release();
    for (const table of ['vault_keys', 'vault_rows']) {
      const { rows } = await pool.query(`SELECT owner_id FROM ${table} WHERE owner_id = ANY($1)`, [[gone, kept]]);
      expect(rows).toEqual([{ owner_id: kept }]);
    }
    expect(await vault.read(pool, `x:${gone}`)).toBe(null);
    expect(await vault.read(pool, `x:${kept}`)).toBe(3);
  });
});

describe('a key of the vault', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let other: Pool;
  beforeAll(async () => {
    database = await freshDatabase();
    other = createPool(database.url, 2, () => undefined);
    await migrate(other);
  });
  afterAll(async () => {
    await other.end();
    await database.drop();
  });

  /** A vault with data keys wrapped by these and no others; `named` says so in the row. */
  async function wrappedBy(...keys: { key: Buffer; named: boolean }[]): Promise<Pool> {
    await other.query('DELETE FROM vault_keys');
    for (const { key, named } of keys) {
      const ownerId = randomUUID();
      const values = [ownerId, wrapKey(key, ownerId, randomBytes(32)), named ? keyIdOf(key) : null];
      await other.query('INSERT INTO vault_keys (owner_id, wrapped, key_id) VALUES ($1, $2, $3)', values);
    }
    return other;
  }

  const [mine, another, third] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
  const named = (key: Buffer) => ({ key, named: true });
  const unnamed = (key: Buffer) => ({ key, named: false });

  test('fits an empty vault, and what it has wrapped, of today or of before', async () => {
    expect(await vaultKeyFits(await wrappedBy(), mine)).toBe(true);
    expect(await vaultKeyFits(await wrappedBy(named(mine), unnamed(mine), named(mine)), mine)).toBe(true);
    expect(await vaultKeyFits(await wrappedBy(unnamed(mine), unnamed(mine)), mine)).toBe(true);
  });

  test('does not fit what others have wrapped', async () => {
    expect(await vaultKeyFits(await wrappedBy(named(another), named(another)), mine)).toBe(false);
    expect(await vaultKeyFits(await wrappedBy(named(another), named(third)), mine)).toBe(false);
    expect(await vaultKeyFits(await wrappedBy(unnamed(another), unnamed(third)), mine)).toBe(false);
  });

  test.each([
    ['one of another key', [named(mine), named(mine), named(another)]],
    ['one of before', [named(mine), unnamed(another)]],
    ['all but those of before', [unnamed(mine), named(another)]],
    ['one among those of before', [unnamed(mine), unnamed(another)]],
  ])('does not fit a vault that was rotated in part, and it is said how to go on: %s', async (_, keys) => {
    const mixed = await wrappedBy(...keys);
    const refusal = await vaultKeyFits(mixed, mine).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect((refusal as Error).message).toContain('run "npm run rotate-vault-key" again');
  });

  test('is not taken while the vault is rotated', async () => {
    const held = await wrappedBy(named(mine));
    const client = await held.connect();
    await client.query('SELECT pg_advisory_lock($1)', [VAULT_LOCK]);
    await expect(vaultKeyFits(held, mine)).rejects.toThrow('is being rotated');
    await client.query('SELECT pg_advisory_unlock($1)', [VAULT_LOCK]);
    client.release();
    expect(await vaultKeyFits(held, mine)).toBe(true);
  });

  test('is looked for in an index, whatever the size of the vault', async () => {
    const large = await wrappedBy(named(mine));
    await large.query(
      `INSERT INTO vault_keys (owner_id, wrapped, key_id)
       SELECT gen_random_uuid(), '\\x00', $1 FROM generate_series(1, 20000)`,
      [keyIdOf(mine)],
    );
    await large.query('ANALYZE vault_keys');
    const { rows } = await large.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT EXISTS (SELECT FROM vault_keys WHERE key_id < '${keyIdOf(mine)}')`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('vault_keys_key_id');
  });
});

describe('the cipher', () => {
  const key = randomBytes(32);

  test('gives back what it was given, and never the same bytes twice', () => {
    for (const plain of [Buffer.alloc(0), Buffer.from('a'), randomBytes(10_000)]) {
      const [one, two] = [encrypt(key, 'row', plain), encrypt(key, 'row', plain)];
      expect(decrypt(key, 'row', one)).toEqual(plain);
      expect(one).toHaveLength(plain.length + 28);
      expect(one.equals(two)).toBe(false);
    }
  });

  test('notices every changed bit, a cut, and another name', () => {
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
    for (const elsewhere of [labelsAssociatedData({ ...placed, id: randomUUID() }), `record:${id}`, `access:${id}`, id])
      expect(() => decrypt(key, elsewhere, record)).toThrow();
    expect(() => decrypt(randomBytes(32), 'row', sealed)).toThrow();
  });
});
