import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { type Answer, captureLog, startTestService, type TestService } from '../test-service.ts';
import { EVERYTHING, type Exchange, exchangeOf, measurement, type Relation, SUBMIT } from './test-exchange.ts';

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

interface Holdings extends Relation {
  readonly ids: readonly string[];
}

/** Four records in two entries, the first of which is corrected by the last. */
async function holdings(): Promise<Holdings> {
  const use = await exchange.related();
  const first = [
    measurement({ value: SECRET }),
    measurement({ biomarker: 'BSP-HM-002', value: SECRET, record_id: 'a' }),
  ];
  const { record_ids: ids } = await exchange.submitted(use, first);
  const second = [measurement({ value: SECRET }), measurement({ value: SECRET, supersedes: ids[0] })];
  const { record_ids: more } = await exchange.submitted(use, second);
  return { ...use, ids: [...ids, ...more] };
}

/** With `triggers` off, the counters are not updated, as by an attacker with write access. */
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

/** The response has only the code, and the log a security event without content. */
function expectNoticed(answer: Answer): void {
  expectRefusal(answer, 'INTEGRITY_FAILED');
  expect(answer.body).not.toHaveProperty('details');
  const logged = lines.filter((line) => line.includes(answer.body.request_id) && line.includes('"level":50')).join('');
  expect(logged).toMatch(/"altered":"(record|records of|data key of|key|record totals|access event):? ?[0-9a-f-]{36}"/);
  for (const said of [JSON.stringify(answer.body), logged])
    expect(said).not.toMatch(new RegExp(`${SECRET}|BSP-|2026-03`));
}

/** The export is refused or cut off. */
async function expectExportNoticed(use: Relation, format: string): Promise<void> {
  const answer = await exchange.take(use, format).catch(() => null);
  if (answer) expectNoticed(answer);
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

describe('a column of a record that was altered in the database', () => {
  test('is one of all that there are', async () => {
    const { rows } = await pool.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'records'`,
    );
    expect(Object.keys(ALTERED).toSorted()).toEqual(rows.map(({ column_name }) => column_name).toSorted());
  });

  describe.each([{ triggers: true }, { triggers: false }])('%o', ({ triggers }) => {
    test.each(Object.entries(ALTERED))('%s is noticed by a read and by an export', async (column, value) => {
      const [use, other] = [await holdings(), await exchange.related()];
      await exchange.submitted(other, [measurement()]);
      await alter(
        `UPDATE records SET ${column} = ${value} WHERE id = $1 AND $2::text IS NOT NULL`,
        [use.ids[2], other.holder.id],
        triggers,
      );
      expectNoticed(await exchange.read(use));
      await expectExportNoticed(use, 'JSON');
    });

    test.each(['binding', 'client_ref'])('%s that was emptied is noticed', async (column) => {
      const use = await holdings();
      await alter(`UPDATE records SET ${column} = NULL WHERE id = $1`, [use.ids[1]], triggers);
      expectNoticed(await exchange.read(use));
      await expectExportNoticed(use, 'CSV');
    });

    test('does not open a record to a consent that does not cover it', async () => {
      const use = await holdings();
      const scope = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['BSP-LA'] };
      const narrow = await exchange.related(scope, { holder: use.holder });
      expect(await exchange.page(narrow)).toMatchObject({ records: [], total: 0 });
      await alter(
        `UPDATE records SET category = 'BSP-LA', biomarker = 'BSP-LA-001' WHERE id = $1`,
        [use.ids[1]],
        triggers,
      );
      expectNoticed(await exchange.read(narrow));
      await expectExportNoticed(narrow, 'JSON');
    });

    test('does not let a record be corrected', async () => {
      const use = await holdings();
      await alter(`UPDATE records SET collected_at = now() WHERE id = $1`, [use.ids[2]], triggers);
      expectNoticed(await exchange.submit(use, [measurement({ supersedes: use.ids[2] ?? '' })]));
    });
  });
});

describe('a record that is missing', () => {
  test.each([{ triggers: true }, { triggers: false }])('is noticed, whatever is asked for %o', async ({ triggers }) => {
    const use = await holdings();
    const narrow = await exchange.related({ ...EVERYTHING, categories: ['BSP-CV'] }, { holder: use.holder });
    await alter('DELETE FROM records WHERE id = $1', [use.ids[3]], triggers);
    for (const filters of [{}, { categories: 'BSP-CV' }, { biomarkers: 'BSP-CV-001' }, { limit: 2 }]) {
      expectNoticed(await exchange.read(use, filters));
    }
    expectNoticed(await exchange.read(narrow));
    await expectExportNoticed(use, 'FHIR_R4');
    await expectExportNoticed(narrow, 'JSON');
  });

  test('is noticed although the counters say that there is none', async () => {
    const use = await holdings();
    await alter('DELETE FROM records WHERE id = $1', [use.ids[1]], false);
    await alter(
      `UPDATE record_counts SET count = 0 WHERE owner_id = $1 AND biomarker = 'BSP-HM-002'`,
      [use.holder.id],
      true,
    );
    expectNoticed(await exchange.read(use));
    expectNoticed(await exchange.read(use, { categories: 'BSP-CV' }));
    await expectExportNoticed(use, 'JSON');
  });

  test('is noticed by the last page and by an export where the counters were kept', async () => {
    const use = await holdings();
    await alter('DELETE FROM records WHERE id = $1', [use.ids[1]], false);
    expectNoticed(await exchange.read(use));
    expectNoticed(await exchange.read(use, { limit: 1, offset: 2 }));
    await expectExportNoticed(use, 'JSON');
  });

  test('is noticed although the totals went with it, or the whole key', async () => {
    const [one, other] = [await holdings(), await holdings()];
    await alter('DELETE FROM records WHERE owner_id = $1', [one.holder.id], true);
    await alter('UPDATE vault_keys SET record_totals = NULL WHERE owner_id = $1', [one.holder.id], true);
    expectNoticed(await exchange.read(one));
    await expectExportNoticed(one, 'JSON');
    await alter('DELETE FROM vault_keys WHERE owner_id = $1', [other.holder.id], true);
    expectNoticed(await exchange.read(other));
    await expectExportNoticed(other, 'JSON');
  });

  test('is noticed although everything was put back to what it was before it came', async () => {
    const use = await exchange.related();
    await exchange.submitted(use, [measurement({ value: SECRET })]);
    const { rows } = await pool.query('SELECT record_totals FROM vault_keys WHERE owner_id = $1', [use.holder.id]);
    const { record_ids } = await exchange.submitted(use, [measurement({ value: SECRET })]);
    await alter('DELETE FROM records WHERE id = $1', [record_ids[0]], true);
    const back = 'UPDATE vault_keys SET record_totals = $2 WHERE owner_id = $1';
    await alter(back, [use.holder.id, rows[0].record_totals], true);
    expectNoticed(await exchange.read(use));
    await expectExportNoticed(use, 'JSON');
  });
});

describe('what was put back', () => {
  test('a correction that was undone is noticed', async () => {
    const use = await exchange.related();
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
      if (triggers) expectNoticed(await exchange.read(use));
      await expectExportNoticed(use, 'JSON');
    }
  });

  test('data keys that were exchanged are noticed', async () => {
    const [one, other] = [await holdings(), await holdings()];
    await alter(
      `UPDATE vault_keys SET wrapped = (SELECT wrapped FROM vault_keys k WHERE k.owner_id <> vault_keys.owner_id
         AND k.owner_id = ANY($1)) WHERE owner_id = ANY($1)`,
      [[one.holder.id, other.holder.id]],
      true,
    );
    expectNoticed(await exchange.read(one));
    expectNoticed(await exchange.read(other));
    await expectExportNoticed(one, 'JSON');
    expectNoticed(await exchange.submit(one, [measurement()]));
  });

  test('the time of an access is noticed', async () => {
    const use = await holdings();
    await exchange.page(use);
    await alter(`UPDATE access_events SET at = at - interval '1 hour' WHERE owner_id = $1`, [use.holder.id], true);
    expectNoticed(await exchange.listAccess(use.holder, use.holder));
  });
});

describe('what was not altered', () => {
  test('is read, exported and corrected while records come from everywhere, and nothing is reported', async () => {
    const { holder, ...use } = await holdings();
    const whole = { holder, ...use };
    const others = await Promise.all([1, 2, 3].map(() => exchange.related(EVERYTHING, { holder })));
    const work = Array.from({ length: 60 }, (_, index) => {
      const by = others[index % 3] ?? whole;
      if (index % 3 === 0) return exchange.submit(by, [measurement({ value: index })]);
      if (index % 3 === 1) return exchange.read(by, { limit: 2, offset: index % 8 });
      return exchange.take(by, 'JSON');
    });
    for (const { status, body } of await Promise.all(work)) expect([200, 201], JSON.stringify(body)).toContain(status);
    expect(lines.join('')).not.toContain(`records of ${holder.id}`);
    expect((await exchange.page(whole)).total).toBe(23);
    expect(lines.join('')).toContain(`"route":"${SUBMIT}"`);
  });
});
