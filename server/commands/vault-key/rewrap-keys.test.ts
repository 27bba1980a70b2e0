import { randomBytes, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { createPool } from '../../db/pool.ts';
import { freshDatabase } from '../../db/test-database.ts';
import { CommandError } from '../../operator/options.ts';
import { keyIdOf, newDataKey, unwrapKey, wrapKey } from '../../vault/data-key.ts';
import { rewrapKeys } from './rewrap-keys.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: Pool;
let client: ClientBase & { release(): void };
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, 2, () => undefined);
  await migrate(pool);
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

const [from, to, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;

/** Data keys of as many owners, by owner. */
async function wrapped(count: number, { by = from, named = true } = {}): Promise<Map<string, Buffer>> {
  const keys = new Map(Array.from({ length: count }, () => [randomUUID() as string, newDataKey()]));
  await pool.query(
    'INSERT INTO vault_keys (owner_id, wrapped, key_id) SELECT owner_id, wrapped, $3 FROM unnest($1::uuid[], $2::bytea[]) AS k (owner_id, wrapped)',
    [[...keys.keys()], [...keys].map(([id, key]) => wrapKey(by, id, key)), named ? keyIdOf(by) : null],
  );
  return keys;
}

const everything = async () =>
  (
    await pool.query<{ owner_id: string; wrapped: Buffer; key_id: string }>(
      'SELECT * FROM vault_keys ORDER BY owner_id',
    )
  ).rows;

const rewrap = (progress: (done: number, total: number) => void = () => undefined) =>
  rewrapKeys(client, { from, to }, progress);

describe('wrapping anew', () => {
  test('changes the wrapping of every data key, named or of before, and no data key', async () => {
    const keys = new Map([...(await wrapped(1_500)), ...(await wrapped(900, { named: false }))]);
    const seen: number[] = [];
    expect(await rewrap((done, total) => seen.push(done / total))).toEqual({ total: 2_400, changed: 2_400 });
    expect(seen).toEqual([0, 1000 / 2400, 2000 / 2400, 1]);
    const rows = await everything();
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
    const before = await everything();
    expect(await rewrap()).toEqual({ total: 20, changed: 0 });
    expect(await everything()).toEqual(before);
  });

  test('goes on with what is left, and keeps what is wrapped already, though it does not say so', async () => {
    const keys = new Map([
      ...(await wrapped(10)),
      ...(await wrapped(10, { by: to })),
      ...(await wrapped(10, { by: to, named: false })),
    ]);
    expect(await rewrap()).toEqual({ total: 30, changed: 20 });
    for (const { owner_id, wrapped } of await everything()) {
      expect(unwrapKey(to, owner_id, wrapped)).toEqual(keys.get(owner_id));
    }
  });

  test('of an empty vault is nothing', async () => {
    expect(await rewrap()).toEqual({ total: 0, changed: 0 });
  });
});

describe('what neither key opens', () => {
  const refusal = () => rewrap().catch((error: unknown) => error as Error);

  test('is named, and with a wrong old key nothing is changed', async () => {
    await wrapped(30, { by: stranger });
    const before = await everything();
    const error = await refusal();
    expect(error).toBeInstanceOf(CommandError);
    const first = before.slice(0, 5).map(({ owner_id }) => owner_id);
    expect((error as Error).message).toBe(
      `Neither the old vault key nor the new one opens the data key of ${first.join(', ')} and at least 25 more. Nothing was changed.`,
    );
    expect(await everything()).toEqual(before);
  });

  test('stops all that comes after it, and what came before is kept', async () => {
    await wrapped(1_200);
    const rows = await everything();
    const bad = rows[1_100]?.owner_id ?? '';
    await pool.query('UPDATE vault_keys SET wrapped = $2 WHERE owner_id = $1', [
      bad,
      wrapKey(stranger, bad, newDataKey()),
    ]);
    const error = await refusal();
    expect((error as Error).message).toContain(`the data key of ${bad}. 1000 of 1200 are wrapped by the new key`);
    const after = await everything();
    expect(after.map(({ key_id }) => key_id === keyIdOf(to))).toEqual(rows.map((_, index) => index < 1_000));
    await pool.query('DELETE FROM vault_keys WHERE owner_id = $1', [bad]);
    expect(await rewrap()).toEqual({ total: 1_199, changed: 199 });
  });

  test('may be a data key that was moved from another owner', async () => {
    await wrapped(2);
    const [one, two] = await everything();
    await pool.query('UPDATE vault_keys SET wrapped = $2 WHERE owner_id = $1', [two?.owner_id, one?.wrapped]);
    expect(((await refusal()) as Error).message).toContain(`the data key of ${two?.owner_id}. Nothing was changed.`);
  });
});
