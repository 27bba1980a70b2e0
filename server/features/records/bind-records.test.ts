import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { captureLog, startTestService, type TestService } from '../../testing/test-service.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import { unwrapKey } from '../vault/data-key.ts';
import { type BoundRow, openBound, RECORD_COLUMNS } from './record-binding.ts';
import { type ConsentParties, type Exchange, exchangeOf, measurement, measurements } from './test-exchange.ts';

const { log, lines } = captureLog();

let service: TestService;
let exchange: Exchange;
let pool: Pool;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  pool = service.service.context.pool;
});
afterAll(() => service.stop());

async function dataKeyOf(ownerId: string): Promise<Buffer> {
  const { rows } = await pool.query('SELECT wrapped FROM vault_keys WHERE owner_id = $1', [ownerId]);
  const vaultKey = Buffer.from(readFileSync(join(service.dataDir, 'vault.key'), 'utf8').trim(), 'hex');
  return unwrapKey(vaultKey, ownerId, rows[0].wrapped);
}

const rowsOf = async (ownerId: string): Promise<BoundRow[]> =>
  (
    await pool.query<BoundRow>(`SELECT ${RECORD_COLUMNS} FROM records r WHERE owner_id = $1 ORDER BY seq, position`, [
      ownerId,
    ])
  ).rows;

/** Rewrites the records of a holder as an earlier version wrote them: only the id is bound to the ciphertext. */
async function unbindRecords(ownerId: string): Promise<void> {
  const key = await dataKeyOf(ownerId);
  for (const row of await rowsOf(ownerId)) {
    const old = encrypt(key, `record:${row.id}`, openBound(key, row));
    await pool.query('UPDATE records SET ciphertext = $2, binding = NULL, client_ref = NULL WHERE id = $1', [
      row.id,
      old,
    ]);
  }
  await pool.query('UPDATE vault_keys SET record_totals = NULL WHERE owner_id = $1', [ownerId]);
}

/** Starts another process of the service, with the same keys. */
async function restarted<Result>(work: (exchange: Exchange) => Promise<Result>): Promise<Result> {
  const shared = { DATA_DIR: service.dataDir, GATEWAY_URL: service.gatewayUrl };
  const next = await startTestService(shared, { databaseUrl: service.databaseUrl, log });
  try {
    return await work(exchangeOf(next));
  } finally {
    await next.stop();
  }
}

async function holderWithRecords(): Promise<ConsentParties & { readonly ids: readonly string[] }> {
  const use = await exchange.newConsent();
  const { record_ids: ids } = await exchange.submitted(use, [
    ...measurements(3),
    measurement({ biomarker: 'BSP-HM-002' }),
  ]);
  const correction = measurement({ value: 'right', supersedes: ids[0], record_id: 'LAB-1' });
  const { record_ids: more } = await exchange.submitted(use, [correction]);
  return { ...use, ids: [...ids, ...more] };
}

const COLUMNS = [
  'ieo_id',
  'token_id',
  'biomarker',
  'category',
  'collected_at',
  'submitted_at',
  'status',
  'superseded_seq',
];
const stable = (rows: readonly BoundRow[]) =>
  rows.map((row) => Object.fromEntries([...COLUMNS, 'seq', 'position', 'id'].map((name) => [name, row[name as 'id']])));

describe('records written before rows were bound', () => {
  test('are bound when the service starts, and can then be read, exported, corrected and added to', async () => {
    const use = await holderWithRecords();
    const [before, page] = [await rowsOf(use.holder.id), await exchange.page(use)];
    await unbindRecords(use.holder.id);
    expectRefusal(await exchange.read(use), 'INTEGRITY_FAILED');
    await restarted(async (after) => {
      expect(stable(await rowsOf(use.holder.id))).toEqual(stable(before));
      expect((await after.page(use)).records).toEqual(page.records);
      expect((await after.page(use, { status: 'SUPERSEDED' })).total).toBe(1);
      expect(JSON.parse(await after.exported(use, 'JSON')).records).toHaveLength(5);
      await after.submitted(use, [measurement({ supersedes: use.ids[1] ?? '' }), measurement({ supersedes: 'LAB-1' })]);
      expect((await after.page(use)).total).toBe(4);
    });
    await restarted(async (after) => {
      expect((await after.page(use)).total).toBe(4);
    });
    expect(lines.join('')).not.toContain('stay unreadable');
  });

  test('are bound with columns restored from the ledger and the ciphertext, which undoes earlier alterations', async () => {
    const use = await holderWithRecords();
    const before = await rowsOf(use.holder.id);
    await unbindRecords(use.holder.id);
    await pool.query(
      `UPDATE records SET biomarker = 'BSP-LA-001', category = 'BSP-LA', collected_at = now(), submitted_at = now(), status = 'ACTIVE',
         superseded_seq = NULL, ieo_id = owner_id, token_id = 'tok', seq = 1, position = 9 WHERE owner_id = $1`,
      [use.holder.id],
    );
    await restarted(async (after) => {
      expect(stable(await rowsOf(use.holder.id))).toEqual(stable(before));
      expect((await after.page(use)).total).toBe(4);
    });
  });

  test.each([
    ['a missing record', 'DELETE FROM records WHERE id = $1'],
    ['a record of another entry', `UPDATE records SET transaction_id = 'x' WHERE id = $1`],
    [
      'altered ciphertext',
      `UPDATE records SET ciphertext = set_byte(ciphertext, 20, 255 - get_byte(ciphertext, 20)) WHERE id = $1`,
    ],
  ])('stay unreadable if there is %s, which the log reports', async (_, statement) => {
    const use = await holderWithRecords();
    await unbindRecords(use.holder.id);
    await pool.query(statement, [use.ids[2]]);
    await restarted(async (after) => {
      expectRefusal(await after.read(use), 'INTEGRITY_FAILED');
      expect(lines.filter((line) => line.includes(use.holder.id) && line.includes('stay unreadable'))).toHaveLength(1);
    });
  });
});

describe('a record reset to its unbound form', () => {
  test('cannot change its category with its old ciphertext', async () => {
    const use = await holderWithRecords();
    const before = await rowsOf(use.holder.id);
    const key = await dataKeyOf(use.holder.id);
    const { id, ciphertext } = before[3] as BoundRow;
    await unbindRecords(use.holder.id);
    const [old] = (await rowsOf(use.holder.id)).filter((row) => row.id === id);
    await restarted(async () => undefined);
    expect(() => decrypt(key, `record:${id}`, ciphertext)).toThrow();
    await pool.query(
      `UPDATE records SET ciphertext = $2, binding = NULL, category = 'BSP-LA', biomarker = 'BSP-LA-001' WHERE id = $1`,
      [id, old?.ciphertext],
    );
    const scope = { intents: ['READ_RECORDS'], categories: ['BSP-LA'] };
    const narrow = await exchange.newConsent(scope, { holder: use.holder });
    expectRefusal(await exchange.read(narrow), 'INTEGRITY_FAILED');
    await restarted(async (after) => {
      expect(await after.page(narrow)).toMatchObject({ records: [], total: 0 });
      expect((await after.page(use)).total).toBe(4);
      expect(stable(await rowsOf(use.holder.id))).toEqual(stable(before));
    });
  });

  test('does not hide a removed record, and is not accepted for one written bound', async () => {
    const use = await holderWithRecords();
    await unbindRecords(use.holder.id);
    const old = await rowsOf(use.holder.id);
    await restarted(async () => undefined);
    await pool.query('UPDATE records SET ciphertext = $2, binding = NULL WHERE id = $1', [
      use.ids[0],
      old[0]?.ciphertext,
    ]);
    await pool.query('DELETE FROM records WHERE id = $1', [use.ids[2]]);
    await pool.query('UPDATE vault_keys SET record_totals = NULL WHERE owner_id = $1', [use.holder.id]);
    await restarted(async (after) => expectRefusal(await after.read(use), 'INTEGRITY_FAILED'));

    const written = await holderWithRecords();
    await pool.query('UPDATE records SET binding = NULL WHERE id = $1', [written.ids[1]]);
    await restarted(async (after) => expectRefusal(await after.read(written), 'INTEGRITY_FAILED'));
  });
});
