import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { type Answer, captureLog, startTestService, type TestService } from '../../testing/test-service.ts';
import { type ConsentParties, EVERYTHING, type Exchange, exchangeOf, measurement, SUBMIT } from './test-exchange.ts';

const { log, lines } = captureLog();

let service: TestService;
let exchange: Exchange;
let pool: Pool;
beforeAll(async () => {
  service = await startTestService({}, { log });
  exchange = exchangeOf(service);
  pool = service.service.context.pool;
});
afterAll(() => service.stop());

const SECRET = 'Quecksilber';

interface HolderWithRecords extends ConsentParties {
  readonly ids: readonly string[];
}

/** Creates a holder with four records in two entries; the last record corrects the first. */
async function holderWithRecords(): Promise<HolderWithRecords> {
  const use = await exchange.newConsent();
  const first = [
    measurement({ value: SECRET }),
    measurement({ biomarker: 'BSP-HM-002', value: SECRET, record_id: 'a' }),
  ];
  const { record_ids: ids } = await exchange.submitted(use, first);
  const second = [measurement({ value: SECRET }), measurement({ value: SECRET, supersedes: ids[0] })];
  const { record_ids: more } = await exchange.submitted(use, second);
  return { ...use, ids: [...ids, ...more] };
}

/** Without `triggers`, the counters are not updated, as an attacker with write access could do. */
async function alter(statement: string, values: unknown[], triggers: boolean): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    if (!triggers) await client.query('ALTER TABLE records DISABLE TRIGGER USER');
    const { rowCount } = await client.query(statement, values);
    expect(rowCount).toBeGreaterThan(0);
    if (!triggers) await client.query('ALTER TABLE records ENABLE TRIGGER USER');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** The response contains only the error code, and the log a security event without content. */
function expectDetected(answer: Answer): void {
  expectRefusal(answer, 'INTEGRITY_FAILED');
  expect(answer.body).not.toHaveProperty('details');
  const logged = lines.filter((line) => line.includes(answer.body.request_id) && line.includes('"level":50')).join('');
  expect(logged).toMatch(/"altered":"(record|records of|data key of|key|record totals|access event):? ?[0-9a-f-]{36}"/);
  for (const text of [JSON.stringify(answer.body), logged])
    expect(text).not.toMatch(new RegExp(`${SECRET}|BSP-|2026-03`));
}

/** The export is refused or breaks off. */
async function expectExportDetected(use: ConsentParties, format: string): Promise<void> {
  const answer = await exchange.exportAs(use, format).catch(() => null);
  if (answer) expectDetected(answer);
}

const ALTERED: Readonly<Record<string, string>> = {
  id: 'gen_random_uuid()',
  owner_id: '$2::uuid',
  ieo_id: '$2::uuid',
  token_id: `'tok_' || $2`,
  biomarker: `'BSP-CV-002'`,
  category: `'BSP-HM'`,
  collected_at: `collected_at - interval '1 day'`,
  submitted_at: `submitted_at - interval '1 day'`,
  status: `'SUPERSEDED'`,
  superseded_seq: 'seq + 1',
  transaction_id: `(SELECT transaction_id FROM records r WHERE r.owner_id = records.owner_id AND r.seq <> records.seq LIMIT 1)`,
  seq: 'seq + 1000000',
  position: 'position + 7',
  client_ref: `decode(repeat('ab', 32), 'hex')`,
  binding: `(SELECT binding FROM records r WHERE r.owner_id = records.owner_id AND r.id <> records.id LIMIT 1)`,
  ciphertext: `(SELECT ciphertext FROM records r WHERE r.owner_id = records.owner_id AND r.id <> records.id LIMIT 1)`,
};

describe('an altered column of a record', () => {
  test('is tested for every column of the table', async () => {
    const { rows } = await pool.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'records'`,
    );
    expect(Object.keys(ALTERED).toSorted()).toEqual(rows.map(({ column_name }) => column_name).toSorted());
  });

  describe.each([{ triggers: true }, { triggers: false }])('%o', ({ triggers }) => {
    test.each(Object.entries(ALTERED))('%s is detected by a read and by an export', async (column, value) => {
      const [use, unrelated] = [await holderWithRecords(), await exchange.newConsent()];
      await exchange.submitted(unrelated, [measurement()]);
      await alter(
        `UPDATE records SET ${column} = ${value} WHERE id = $1 AND $2::text IS NOT NULL`,
        [use.ids[2], unrelated.holder.id],
        triggers,
      );
      expectDetected(await exchange.read(use));
      await expectExportDetected(use, 'JSON');
    });

    test.each(['binding', 'client_ref'])('%s is detected when set to NULL', async (column) => {
      const use = await holderWithRecords();
      await alter(`UPDATE records SET ${column} = NULL WHERE id = $1`, [use.ids[1]], triggers);
      expectDetected(await exchange.read(use));
      await expectExportDetected(use, 'CSV');
    });

    test('does not make a record readable by a consent that does not cover it', async () => {
      const use = await holderWithRecords();
      const scope = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['BSP-LA'] };
      const narrow = await exchange.newConsent(scope, { holder: use.holder });
      expect(await exchange.page(narrow)).toMatchObject({ records: [], total: 0 });
      await alter(
        `UPDATE records SET category = 'BSP-LA', biomarker = 'BSP-LA-001' WHERE id = $1`,
        [use.ids[1]],
        triggers,
      );
      expectDetected(await exchange.read(narrow));
      await expectExportDetected(narrow, 'JSON');
    });

    test('prevents the record from being corrected', async () => {
      const use = await holderWithRecords();
      await alter(`UPDATE records SET collected_at = now() WHERE id = $1`, [use.ids[2]], triggers);
      expectDetected(await exchange.submit(use, [measurement({ supersedes: use.ids[2] ?? '' })]));
    });
  });
});

describe('a missing record', () => {
  test.each([{ triggers: true }, { triggers: false }])('is detected by any filter: %o', async ({ triggers }) => {
    const use = await holderWithRecords();
    const narrow = await exchange.newConsent({ ...EVERYTHING, categories: ['BSP-CV'] }, { holder: use.holder });
    await alter('DELETE FROM records WHERE id = $1', [use.ids[3]], triggers);
    for (const filters of [{}, { categories: 'BSP-CV' }, { biomarkers: 'BSP-CV-001' }, { limit: 2 }]) {
      expectDetected(await exchange.read(use, filters));
    }
    expectDetected(await exchange.read(narrow));
    await expectExportDetected(use, 'FHIR_R4');
    await expectExportDetected(narrow, 'JSON');
  });

  test('is detected although the counter was set to 0', async () => {
    const use = await holderWithRecords();
    await alter('DELETE FROM records WHERE id = $1', [use.ids[1]], false);
    await alter(
      `UPDATE record_counts SET count = 0 WHERE owner_id = $1 AND biomarker = 'BSP-HM-002'`,
      [use.holder.id],
      true,
    );
    expectDetected(await exchange.read(use));
    expectDetected(await exchange.read(use, { categories: 'BSP-CV' }));
    await expectExportDetected(use, 'JSON');
  });

  test('is detected by the last page and by an export if the counters were kept', async () => {
    const use = await holderWithRecords();
    await alter('DELETE FROM records WHERE id = $1', [use.ids[1]], false);
    expectDetected(await exchange.read(use));
    expectDetected(await exchange.read(use, { limit: 1, offset: 2 }));
    await expectExportDetected(use, 'JSON');
  });

  test('is detected although the totals or the key were removed too', async () => {
    const [withoutTotals, withoutKey] = [await holderWithRecords(), await holderWithRecords()];
    await alter('DELETE FROM records WHERE owner_id = $1', [withoutTotals.holder.id], true);
    await alter('UPDATE vault_keys SET record_totals = NULL WHERE owner_id = $1', [withoutTotals.holder.id], true);
    expectDetected(await exchange.read(withoutTotals));
    await expectExportDetected(withoutTotals, 'JSON');
    await alter('DELETE FROM vault_keys WHERE owner_id = $1', [withoutKey.holder.id], true);
    expectDetected(await exchange.read(withoutKey));
    await expectExportDetected(withoutKey, 'JSON');
  });

  test('is detected although the totals were restored to those before it', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, [measurement({ value: SECRET })]);
    const { rows } = await pool.query('SELECT record_totals FROM vault_keys WHERE owner_id = $1', [use.holder.id]);
    const { record_ids } = await exchange.submitted(use, [measurement({ value: SECRET })]);
    await alter('DELETE FROM records WHERE id = $1', [record_ids[0]], true);
    const restoreTotals = 'UPDATE vault_keys SET record_totals = $2 WHERE owner_id = $1';
    await alter(restoreTotals, [use.holder.id, rows[0].record_totals], true);
    expectDetected(await exchange.read(use));
    await expectExportDetected(use, 'JSON');
  });
});

describe('a change in the vault’s tables', () => {
  test('is detected if a correction was undone', async () => {
    const use = await exchange.newConsent();
    const { record_ids } = await exchange.submitted(use, [measurement({ value: SECRET })]);
    const [id] = record_ids;
    const { rows } = await pool.query('SELECT binding FROM records WHERE id = $1', [id]);
    await exchange.submitted(use, [measurement({ value: 'right', supersedes: id })]);
    expect((await exchange.page(use)).total).toBe(1);
    for (const triggers of [false, true]) {
      await alter(
        `UPDATE records SET status = 'ACTIVE', superseded_seq = NULL, binding = $2 WHERE id = $1`,
        [id, rows[0].binding],
        triggers,
      );
      if (triggers) expectDetected(await exchange.read(use));
      await expectExportDetected(use, 'JSON');
    }
  });

  test('is detected if two data keys were exchanged', async () => {
    const [first, second] = [await holderWithRecords(), await holderWithRecords()];
    await alter(
      `UPDATE vault_keys SET wrapped = (SELECT wrapped FROM vault_keys k WHERE k.owner_id <> vault_keys.owner_id
         AND k.owner_id = ANY($1)) WHERE owner_id = ANY($1)`,
      [[first.holder.id, second.holder.id]],
      true,
    );
    expectDetected(await exchange.read(first));
    expectDetected(await exchange.read(second));
    await expectExportDetected(first, 'JSON');
    expectDetected(await exchange.submit(first, [measurement()]));
  });

  test('is detected if the time of an access event was changed', async () => {
    const use = await holderWithRecords();
    await exchange.page(use);
    await alter(`UPDATE access_events SET at = at - interval '1 hour' WHERE owner_id = $1`, [use.holder.id], true);
    expectDetected(await exchange.listAccess(use.holder, use.holder));
  });
});

describe('unaltered records', () => {
  test('cause no integrity failure under concurrent submissions, reads and exports', async () => {
    const use = await holderWithRecords();
    const { holder } = use;
    const consents = await Promise.all([1, 2, 3].map(() => exchange.newConsent(EVERYTHING, { holder })));
    const work = Array.from({ length: 60 }, (_, index) => {
      const consent = consents[index % 3] ?? use;
      if (index % 3 === 0) return exchange.submit(consent, [measurement({ value: index })]);
      if (index % 3 === 1) return exchange.read(consent, { limit: 2, offset: index % 8 });
      return exchange.exportAs(consent, 'JSON');
    });
    for (const { status, body } of await Promise.all(work)) expect([200, 201], JSON.stringify(body)).toContain(status);
    expect(lines.join('')).not.toContain(`records of ${holder.id}`);
    expect((await exchange.page(use)).total).toBe(23);
    expect(lines.join('')).toContain(`"route":"${SUBMIT}"`);
  });
});
