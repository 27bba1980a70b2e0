import { randomBytes, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyIdOf, newDataKey, unwrapKey, wrapKey } from '../../server/features/vault/data-key.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { migratedDatabase } from '../../server/platform/db/test-database.ts';
import { rewrapKeys } from './rewrap-keys.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let pool: Pool;
let client: ClientBase & { release(): void };
beforeAll(async () => {
  database = await migratedDatabase();
  pool = createPool(database.url, 2, () => undefined);
  client = await pool.connect();
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('DELETE FROM vault_keys');
});

const [from, to, otherKey] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;

/** Stores data keys of `count` owners. Returns the keys by owner. */
async function wrapped(count: number, { vaultKey = from, withKeyId = true } = {}): Promise<Map<string, Buffer>> {
  const keys = new Map(Array.from({ length: count }, () => [randomUUID() as string, newDataKey()]));
  await pool.query(
    'INSERT INTO vault_keys (owner_id, wrapped, key_id) SELECT owner_id, wrapped, $3 FROM unnest($1::uuid[], $2::bytea[]) AS k (owner_id, wrapped)',
    [[...keys.keys()], [...keys].map(([id, key]) => wrapKey(vaultKey, id, key)), withKeyId ? keyIdOf(vaultKey) : null],
  );
  return keys;
}

const allRows = async () =>
  (
    await pool.query<{ owner_id: string; wrapped: Buffer; key_id: string }>(
      'SELECT * FROM vault_keys ORDER BY owner_id',
    )
  ).rows;

const rewrap = (progress: (done: number, total: number) => void = () => undefined) =>
  rewrapKeys(client, { from, to }, progress);

describe('rewrapping', () => {
  test('rewraps every data key, with or without a key id, and changes no data key', async () => {
    const keys = new Map([...(await wrapped(1_500)), ...(await wrapped(900, { withKeyId: false }))]);
    const progressCalls: number[] = [];
    expect(await rewrap((done, total) => progressCalls.push(done / total))).toEqual({ total: 2_400, changed: 2_400 });
    expect(progressCalls).toEqual([0, 1000 / 2400, 2000 / 2400, 1]);
    const rows = await allRows();
    expect(rows).toHaveLength(2_400);
    for (const { owner_id, wrapped, key_id } of rows) {
      expect(unwrapKey(to, owner_id, wrapped)).toEqual(keys.get(owner_id));
      expect(key_id).toBe(keyIdOf(to));
    }
    expect(() => unwrapKey(from, rows[0]?.owner_id ?? '', rows[0]?.wrapped ?? Buffer.alloc(0))).toThrow();
  });

  test('a second time changes nothing', async () => {
    await wrapped(20);
    await rewrap();
    const before = await allRows();
    expect(await rewrap()).toEqual({ total: 20, changed: 0 });
    expect(await allRows()).toEqual(before);
  });

  test('continues an interrupted run and keeps data keys that are already wrapped with the new key', async () => {
    const keys = new Map([
      ...(await wrapped(10)),
      ...(await wrapped(10, { vaultKey: to })),
      ...(await wrapped(10, { vaultKey: to, withKeyId: false })),
    ]);
    expect(await rewrap()).toEqual({ total: 30, changed: 20 });
    for (const { owner_id, wrapped } of await allRows()) {
      expect(unwrapKey(to, owner_id, wrapped)).toEqual(keys.get(owner_id));
    }
  });

  test('does nothing in an empty vault', async () => {
    expect(await rewrap()).toEqual({ total: 0, changed: 0 });
  });
});

describe('a data key that neither key opens', () => {
  const refusal = () => rewrap().catch((error: unknown) => error as Error);

  test('is reported; with a wrong old key nothing is changed', async () => {
    await wrapped(30, { vaultKey: otherKey });
    const before = await allRows();
    const error = await refusal();
    expect(error).toBeInstanceOf(CommandError);
    const first = before.slice(0, 5).map(({ owner_id }) => owner_id);
    expect((error as Error).message).toBe(
      `Neither the old vault key nor the new one opens the data key of ${first.join(', ')} and at least 25 more. Nothing was changed.`,
    );
    expect(await allRows()).toEqual(before);
  });

  test('stops the run; the batches before it are kept', async () => {
    await wrapped(1_200);
    const rows = await allRows();
    const bad = rows[1_100]?.owner_id ?? '';
    await pool.query('UPDATE vault_keys SET wrapped = $2 WHERE owner_id = $1', [
      bad,
      wrapKey(otherKey, bad, newDataKey()),
    ]);
    const error = await refusal();
    expect((error as Error).message).toContain(`the data key of ${bad}. 1000 of 1200 are wrapped with the new key`);
    const after = await allRows();
    expect(after.map(({ key_id }) => key_id === keyIdOf(to))).toEqual(rows.map((_, index) => index < 1_000));
    await pool.query('DELETE FROM vault_keys WHERE owner_id = $1', [bad]);
    expect(await rewrap()).toEqual({ total: 1_199, changed: 199 });
  });

  test('can be one that was copied from another owner', async () => {
    await wrapped(2);
    const [first, second] = await allRows();
    await pool.query('UPDATE vault_keys SET wrapped = $2 WHERE owner_id = $1', [second?.owner_id, first?.wrapped]);
    expect(((await refusal()) as Error).message).toContain(`the data key of ${second?.owner_id}. Nothing was changed.`);
  });
});
