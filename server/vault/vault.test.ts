import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/canonical-json.ts';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { runAsOne } from '../db/statement.ts';
import { freshDatabase } from '../db/test-database.ts';
import { erase, saveVaultKeys, saveVaultRows } from '../registry/batch-rows.ts';
import { decrypt, encrypt } from './cipher.ts';
import { createVault, vaultKeyFits } from './vault.ts';

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

/** Puts rows into the vault as the committer does. */
async function keep(beoId: string, contents: Record<string, Json>): Promise<void> {
  const client = await pool.connect();
  try {
    const rows = Object.entries(contents).map(([id, content]) => ({ id, content }));
    const sealed = vault.sealRows(await vault.loadKeys(client, [beoId]), beoId, rows);
    await runAsOne(client, [saveVaultKeys(sealed.newKey ? [sealed.newKey] : [])]);
    await runAsOne(client, [saveVaultRows(sealed.rows)]);
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

  test('ends with its key', async () => {
    const [gone, kept] = [randomUUID(), randomUUID()];
    await keep(gone, { [`x:${gone}`]: 1, [`y:${gone}`]: 2 });
    await keep(kept, { [`x:${kept}`]: 3 });
    const client = await pool.connect();
    await erase(client, [gone]);
    client.release();
    for (const table of ['vault_keys', 'vault_rows']) {
      const { rows } = await pool.query(`SELECT owner_id FROM ${table} WHERE owner_id = ANY($1)`, [[gone, kept]]);
      expect(rows).toEqual([{ owner_id: kept }]);
    }
    expect(await vault.read(pool, `x:${gone}`)).toBe(null);
    expect(await vault.read(pool, `x:${kept}`)).toBe(3);
  });
});

test('a key of the vault fits what it has wrapped, any key an empty vault, and another key nothing', async () => {
  const empty = await freshDatabase();
  const emptyPool = createPool(empty.url, 1, () => undefined);
  await migrate(emptyPool);
  expect(await vaultKeyFits(emptyPool, randomBytes(32))).toBe(true);
  await emptyPool.end();
  await empty.drop();
  await keep(randomUUID(), { [`fits:${randomUUID()}`]: true });
  expect(await vaultKeyFits(pool, vaultKey)).toBe(true);
  expect(await vaultKeyFits(pool, randomBytes(32))).toBe(false);
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
    expect(() => decrypt(randomBytes(32), 'row', sealed)).toThrow();
  });
});
