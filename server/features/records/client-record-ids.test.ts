import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields } from '../../write/test-parties.ts';
import {
  type ConsentParties,
  EVERYTHING,
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
} from './test-exchange.ts';

/** Members that deployed clients send with a record, besides those of the first protocol. Protocol §8. */
let service: TestService;
let exchange: Exchange;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
});
afterAll(() => service.stop());

const NOT_FOUND = 'is not a record of this person and institution';
const withClientId = (record_id: string, more: Fields = {}) => measurement({ record_id, ...more });

async function submitOne(use: ConsentParties, record: Fields): Promise<string> {
  return (await exchange.submitted(use, [record])).record_ids[0];
}

const onlyRecord = async (use: ConsentParties, filters = {}) => {
  const { records } = await exchange.page(use, filters);
  expect(records).toHaveLength(1);
  return records[0];
};

describe('a client’s id of a record', () => {
  test('is returned beside the assigned id, in reads and in every export format', async () => {
    const use = await exchange.newConsent();
    const id = await submitOne(use, withClientId('LAB-7 of Ana'));
    expect(await onlyRecord(use)).toMatchObject({ record_id: id, client_record_id: 'LAB-7 of Ana' });
    const { records } = JSON.parse(await exchange.exported(use, 'JSON'));
    expect(records[0]).toMatchObject({ record_id: id, client_record_id: 'LAB-7 of Ana' });
    expect(await exchange.exported(use, 'CSV')).toContain('LAB-7 of Ana');
    const { entry } = JSON.parse(await exchange.exported(use, 'FHIR_R4'));
    const observation = entry.find(
      ({ resource }: Fields) => (resource as Fields).resourceType === 'Observation',
    ).resource;
    expect(observation.identifier).toContainEqual({
      system: 'urn:perpetua:fhir:identifier:client-record',
      value: 'LAB-7 of Ana',
      assigner: { reference: `urn:uuid:${use.by.id}`, type: 'Organization', display: 'A Clinic' },
    });
  });

  test('is kept when a record is resubmitted as it was read', async () => {
    const use = await exchange.newConsent();
    await submitOne(use, withClientId('LAB-7'));
    const { record_id: supersedes, ...echoed } = await onlyRecord(use);
    await submitOne(use, { ...echoed, value: 2, supersedes });
    expect(await onlyRecord(use)).toMatchObject({ value: 2, supersedes, client_record_id: 'LAB-7' });
  });

  test('is not in the database in plain text', async () => {
    const use = await exchange.newConsent();
    await submitOne(use, withClientId('LAB-7 of Ana'));
    const { rows } = await service.service.context.pool.query('SELECT records::text AS row FROM records');
    for (const { row } of rows) {
      expect(row).not.toContain('LAB-7');
      expect(row).not.toContain(Buffer.from('LAB-7').toString('hex'));
    }
  });
});

describe('a correction by the client’s id', () => {
  test('finds the record, and reads return its assigned id', async () => {
    const use = await exchange.newConsent();
    const first = await submitOne(use, withClientId('LAB-1'));
    await submitOne(use, withClientId('LAB-2', { supersedes: 'LAB-1', value: 2 }));
    expect(await onlyRecord(use)).toMatchObject({ value: 2, supersedes: first, client_record_id: 'LAB-2' });
    expect(await onlyRecord(use, { status: 'SUPERSEDED' })).toMatchObject({ record_id: first });
    const { records } = JSON.parse(await exchange.exported(use, 'JSON'));
    expect(records[0].supersedes).toBe(first);
    expect(records[0].proof.submitted.supersedes).toBe('LAB-1');
  });

  test('works with UUIDs, and if the correction has the same id', async () => {
    const use = await exchange.newConsent();
    const id = '0b0e7f3e-8f0e-4c53-9d2b-6f0a4f4f2f11';
    let last = await submitOne(use, withClientId(id));
    for (const value of [1, 2, 3]) {
      const next = await submitOne(use, withClientId(id, { supersedes: id, value }));
      expect(await onlyRecord(use)).toMatchObject({ value, supersedes: last });
      last = next;
    }
  });

  test('finds the newest record of its biomarker if several have the same id', async () => {
    const use = await exchange.newConsent();
    const panel = ['BSP-CV-001', 'BSP-CV-002'].map((biomarker) => withClientId('PANEL', { biomarker }));
    const [, second] = (await exchange.submitted(use, panel)).record_ids;
    await submitOne(use, withClientId('CORRECTION', { biomarker: 'BSP-CV-002', supersedes: 'PANEL' }));
    expect(await onlyRecord(use, { status: 'SUPERSEDED' })).toMatchObject({ record_id: second });
  });

  test('finds no record of another person, institution or biomarker', async () => {
    const use = await exchange.newConsent();
    const otherHolder = await exchange.newConsent(EVERYTHING, { by: use.by });
    const otherClinic = await exchange.newConsent(EVERYTHING, { holder: use.holder });
    for (const consent of [otherHolder, otherClinic]) await submitOne(consent, withClientId('LAB-1'));
    await submitOne(use, withClientId('LAB-2', { biomarker: 'BSP-CV-002' }));
    const records = [
      measurement(),
      withClientId('LAB-3', { supersedes: 'LAB-1' }),
      measurement({ supersedes: 'LAB-2' }),
      withClientId('x', { supersedes: 'LAB-3' }),
    ];
    expectInvalid(await exchange.submit(use, records), 4, [
      { index: 1, path: 'supersedes', message: NOT_FOUND },
      { index: 2, path: 'supersedes', message: 'is a record of another biomarker, BSP-CV-002' },
      { index: 3, path: 'supersedes', message: NOT_FOUND },
    ]);
    expect((await exchange.page(otherHolder)).total).toBe(1);
  });

  test('is refused for a record corrected earlier or twice in the batch', async () => {
    const use = await exchange.newConsent();
    await submitOne(use, withClientId('LAB-1'));
    const twice = [withClientId('a', { supersedes: 'LAB-1' }), withClientId('b', { supersedes: 'LAB-1' })];
    expectInvalid(await exchange.submit(use, twice), 2, [
      { index: 1, path: 'supersedes', message: 'is corrected twice in this batch' },
    ]);
    await submitOne(use, withClientId('LAB-2', { supersedes: 'LAB-1' }));
    expectInvalid(await exchange.submit(use, [withClientId('LAB-3', { supersedes: 'LAB-1' })]), 1, [
      { index: 0, path: 'supersedes', message: 'has already been corrected' },
    ]);
  });

  test('works for records from the first batches of a person, submitted concurrently', async () => {
    const use = await exchange.newConsent();
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((id) => exchange.submit(use, [withClientId(id)])));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await exchange.submitted(
      use,
      ['A', 'B', 'C', 'D'].map((id) => withClientId(`${id}2`, { supersedes: id })),
    );
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(4);
  });
});

describe('the time of a record', () => {
  test('is read from `timestamp` if collected_at is absent, null or empty', async () => {
    const use = await exchange.newConsent();
    const { collected_at: _, ...rest } = measurement();
    const timestamp = '2026-03-01T08:00:00+01:00';
    for (const absent of [{}, { collected_at: null }, { collected_at: '' }]) {
      await exchange.submitted(use, [{ ...rest, ...absent, timestamp }]);
    }
    const { records } = await exchange.page(use, { from: '2026-03-01T07:00:00Z', to: '2026-03-01T07:00:00Z' });
    expect(records).toHaveLength(3);
    for (const record of records) expect(record).toMatchObject({ collected_at: '2026-03-01T07:00:00.000Z', timestamp });
  });

  test('is read from collected_at if both are present', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, [measurement({ timestamp: 'not a time' })]);
    expect((await onlyRecord(use)).collected_at).toBe('2026-03-04T05:06:07.000Z');
  });

  test('follows the same rules under `timestamp`, which the problem names', async () => {
    const use = await exchange.newConsent({ ...EVERYTHING, period: { from: '2026-01-01T00:00:00Z', to: null } });
    const { collected_at: _, ...rest } = measurement();
    const at = (timestamp: string) => ({ ...rest, timestamp });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expectInvalid(await exchange.submit(use, [at('yesterday'), at('2026-03')]), 2, [
      {
        index: 0,
        path: 'timestamp',
        message: 'must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on',
      },
      {
        index: 1,
        path: 'timestamp',
        message: 'must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on',
      },
    ]);
    expectInvalid(await exchange.submit(use, [at(tomorrow)]), 1, [
      { index: 0, path: 'timestamp', message: 'must not be in the future' },
    ]);
    expect((await exchange.submit(use, [at('2025-12-31T23:59:59Z')])).body.code).toBe('PERIOD_NOT_AUTHORIZED');
  });
});

describe('a reference range', () => {
  test('may have critical values', async () => {
    const use = await exchange.newConsent();
    const ref_range = { functional_low: 60, functional_high: 90, critical_low: 40, critical_high: 400 };
    await exchange.submitted(use, [measurement({ ref_range })]);
    expect((await onlyRecord(use)).ref_range).toEqual(ref_range);
  });

  test('with unknown members is refused, with their names', async () => {
    const use = await exchange.newConsent();
    const ref_range = { optimal_low: 1, panic_low: 2, critical: '< 40' };
    expectInvalid(await exchange.submit(use, [measurement(), measurement({ ref_range })]), 2, [
      { index: 1, path: 'ref_range.panic_low', message: 'is not a member of ref_range' },
      { index: 1, path: 'ref_range.critical', message: 'is not a member of ref_range' },
    ]);
  });

  test('with very many unknown members is refused with a few of their names', async () => {
    const use = await exchange.newConsent();
    const ref_range = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
    const { status, body } = await exchange.submit(use, [measurement({ ref_range })]);
    expect([status, body.details.records.length]).toEqual([422, 5]);
  });
});
