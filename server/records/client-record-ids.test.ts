import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../test-service.ts';
import type { Fields } from '../write/test-parties.ts';
import { EVERYTHING, type Exchange, exchangeOf, expectInvalid, measurement, type Relation } from './test-exchange.ts';

/** What deployed clients send with a record beside what the protocol began with. Protocol §8. */
let service: TestService;
let exchange: Exchange;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
});
afterAll(() => service.stop());

const NOT_THEIRS = 'is not a record of this person and institution';
const own = (record_id: string, more: Fields = {}) => measurement({ record_id, ...more });

async function submittedOne(use: Relation, record: Fields): Promise<string> {
  return (await exchange.submitted(use, [record])).record_ids[0];
}

const onlyRecord = async (use: Relation, filters = {}) => {
  const { records } = await exchange.page(use, filters);
  expect(records).toHaveLength(1);
  return records[0];
};

describe('an id of the client', () => {
  test('is kept besides the assigned one, in reads and in every format', async () => {
    const use = await exchange.related();
    const id = await submittedOne(use, own('LAB-7 of Ana'));
    expect(await onlyRecord(use)).toMatchObject({ record_id: id, client_record_id: 'LAB-7 of Ana' });
    const { records } = JSON.parse(await exchange.taken(use, 'JSON'));
    expect(records[0]).toMatchObject({ record_id: id, client_record_id: 'LAB-7 of Ana' });
    expect(await exchange.taken(use, 'CSV')).toContain('LAB-7 of Ana');
    const { entry } = JSON.parse(await exchange.taken(use, 'FHIR_R4'));
    const observation = entry.find(
      ({ resource }: Fields) => (resource as Fields).resourceType === 'Observation',
    ).resource;
    expect(observation.identifier).toContainEqual({
      system: 'urn:perpetua:fhir:identifier:client-record',
      value: 'LAB-7 of Ana',
      assigner: { reference: `urn:uuid:${use.by.id}`, type: 'Organization', display: 'A Clinic' },
    });
  });

  test('is kept when a record is submitted again as it was read', async () => {
    const use = await exchange.related();
    await submittedOne(use, own('LAB-7'));
    const { record_id: supersedes, ...echoed } = await onlyRecord(use);
    await submittedOne(use, { ...echoed, value: 2, supersedes });
    expect(await onlyRecord(use)).toMatchObject({ value: 2, supersedes, client_record_id: 'LAB-7' });
  });

  test('is nowhere in the database in plain text', async () => {
    const use = await exchange.related();
    await submittedOne(use, own('LAB-7 of Ana'));
    const { rows } = await service.service.context.pool.query('SELECT records::text AS row FROM records');
    for (const { row } of rows) {
      expect(row).not.toContain('LAB-7');
      expect(row).not.toContain(Buffer.from('LAB-7').toString('hex'));
    }
  });
});

describe('a correction by the id of the client', () => {
  test('finds the record, and reads return its assigned id', async () => {
    const use = await exchange.related();
    const first = await submittedOne(use, own('LAB-1'));
    await submittedOne(use, own('LAB-2', { supersedes: 'LAB-1', value: 2 }));
    expect(await onlyRecord(use)).toMatchObject({ value: 2, supersedes: first, client_record_id: 'LAB-2' });
    expect(await onlyRecord(use, { status: 'SUPERSEDED' })).toMatchObject({ record_id: first });
    const { records } = JSON.parse(await exchange.taken(use, 'JSON'));
    expect(records[0].supersedes).toBe(first);
    expect(records[0].proof.submitted.supersedes).toBe('LAB-1');
  });

  test('works where those ids are UUIDs, and where the record keeps its id', async () => {
    const use = await exchange.related();
    const id = '0b0e7f3e-8f0e-4c53-9d2b-6f0a4f4f2f11';
    let last = await submittedOne(use, own(id));
    for (const value of [1, 2, 3]) {
      const next = await submittedOne(use, own(id, { supersedes: id, value }));
      expect(await onlyRecord(use)).toMatchObject({ value, supersedes: last });
      last = next;
    }
  });

  test('finds the newest record of its biomarker if several have one id', async () => {
    const use = await exchange.related();
    const panel = ['BSP-CV-001', 'BSP-CV-002'].map((biomarker) => own('PANEL', { biomarker }));
    const [, second] = (await exchange.submitted(use, panel)).record_ids;
    await submittedOne(use, own('other', { biomarker: 'BSP-CV-002', supersedes: 'PANEL' }));
    expect(await onlyRecord(use, { status: 'SUPERSEDED' })).toMatchObject({ record_id: second });
  });

  test('finds no record of another person, institution or biomarker', async () => {
    const use = await exchange.related();
    const otherHolder = await exchange.related(EVERYTHING, { by: use.by });
    const otherClinic = await exchange.related(EVERYTHING, { holder: use.holder });
    for (const other of [otherHolder, otherClinic]) await submittedOne(other, own('LAB-1'));
    await submittedOne(use, own('LAB-2', { biomarker: 'BSP-CV-002' }));
    const records = [
      measurement(),
      own('LAB-3', { supersedes: 'LAB-1' }),
      measurement({ supersedes: 'LAB-2' }),
      own('x', { supersedes: 'LAB-3' }),
    ];
    expectInvalid(await exchange.submit(use, records), 4, [
      { index: 1, path: 'supersedes', message: NOT_THEIRS },
      { index: 2, path: 'supersedes', message: 'is a record of another biomarker, BSP-CV-002' },
      { index: 3, path: 'supersedes', message: NOT_THEIRS },
    ]);
    expect((await exchange.page(otherHolder)).total).toBe(1);
  });

  test('is refused twice in a batch, or for a corrected record', async () => {
    const use = await exchange.related();
    await submittedOne(use, own('LAB-1'));
    const twice = [own('a', { supersedes: 'LAB-1' }), own('b', { supersedes: 'LAB-1' })];
    expectInvalid(await exchange.submit(use, twice), 2, [
      { index: 1, path: 'supersedes', message: 'is corrected twice in this batch' },
    ]);
    await submittedOne(use, own('LAB-2', { supersedes: 'LAB-1' }));
    expectInvalid(await exchange.submit(use, [own('LAB-3', { supersedes: 'LAB-1' })]), 1, [
      { index: 0, path: 'supersedes', message: 'has already been corrected' },
    ]);
  });

  test('works for what came with the first batch of a person, of several at once', async () => {
    const use = await exchange.related();
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((id) => exchange.submit(use, [own(id)])));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await exchange.submitted(
      use,
      ['A', 'B', 'C', 'D'].map((id) => own(`${id}2`, { supersedes: id })),
    );
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(4);
  });
});

describe('a time', () => {
  test('is that of `timestamp` where collected_at is absent, null or empty', async () => {
    const use = await exchange.related();
    const { collected_at: _, ...rest } = measurement();
    const timestamp = '2026-03-01T08:00:00+01:00';
    for (const absent of [{}, { collected_at: null }, { collected_at: '' }]) {
      await exchange.submitted(use, [{ ...rest, ...absent, timestamp }]);
    }
    const { records } = await exchange.page(use, { from: '2026-03-01T07:00:00Z', to: '2026-03-01T07:00:00Z' });
    expect(records).toHaveLength(3);
    for (const record of records) expect(record).toMatchObject({ collected_at: '2026-03-01T07:00:00.000Z', timestamp });
  });

  test('is that of collected_at where both are there', async () => {
    const use = await exchange.related();
    await exchange.submitted(use, [measurement({ timestamp: 'some other thing' })]);
    expect((await onlyRecord(use)).collected_at).toBe('2026-03-04T05:06:07.000Z');
  });

  test('under `timestamp` is held to the same rules, and named', async () => {
    const use = await exchange.related({ ...EVERYTHING, period: { from: '2026-01-01T00:00:00Z', to: null } });
    const { collected_at: _, ...rest } = measurement();
    const at = (timestamp: string) => ({ ...rest, timestamp });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expectInvalid(await exchange.submit(use, [at('yesterday'), at('2026-03-04')]), 2, [
      { index: 0, path: 'timestamp', message: 'must be an ISO 8601 date and time with a zone, from the year 1000 on' },
      { index: 1, path: 'timestamp', message: 'must be an ISO 8601 date and time with a zone, from the year 1000 on' },
    ]);
    expectInvalid(await exchange.submit(use, [at(tomorrow)]), 1, [
      { index: 0, path: 'timestamp', message: 'must not be in the future' },
    ]);
    expect((await exchange.submit(use, [at('2025-12-31T23:59:59Z')])).body.code).toBe('PERIOD_NOT_AUTHORIZED');
  });
});

describe('a reference range', () => {
  test('may have critical values', async () => {
    const use = await exchange.related();
    const ref_range = { functional_low: 60, functional_high: 90, critical_low: 40, critical_high: 400 };
    await exchange.submitted(use, [measurement({ ref_range })]);
    expect((await onlyRecord(use)).ref_range).toEqual(ref_range);
  });

  test('with members of other names is refused, and they are named', async () => {
    const use = await exchange.related();
    const ref_range = { optimal_low: 1, panic_low: 2, critical: '< 40' };
    expectInvalid(await exchange.submit(use, [measurement(), measurement({ ref_range })]), 2, [
      { index: 1, path: 'ref_range.panic_low', message: 'is not a member of ref_range' },
      { index: 1, path: 'ref_range.critical', message: 'is not a member of ref_range' },
    ]);
  });

  test('with very many of them names a few', async () => {
    const use = await exchange.related();
    const ref_range = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
    const { status, body } = await exchange.submit(use, [measurement({ ref_range })]);
    expect([status, body.details.records.length]).toEqual([422, 5]);
  });
});
