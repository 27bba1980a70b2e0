import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { startTestService, type TestService } from '../test-service.ts';
import type { Fields } from '../write/test-parties.ts';
import {
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
  measurements,
  type Relation,
  SUBMIT,
} from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
let use: Relation;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.related();
});
afterAll(() => service.stop());

const without = (name: string): Fields => {
  const { [name]: _, ...rest } = measurement();
  return rest;
};
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();
const range = (ref_range: Json): Fields => measurement({ ref_range });

const RANGE = 'must be a number from 0 to 1';
const WHEN = 'must be an ISO 8601 date and time with a zone, from the year 1000 on';
const SHAPE = 'must be an object of ranges';
const NOT_THEIRS = 'is not a record of this person and institution';
const CODE = 'is not a code of the taxonomy, nor a well-formed one of its categories';
const VALUE = 'must be a number, a text or an object';
const TEXT = expect.stringMatching(/^must /);

describe('a record is refused, with its place in the batch and what is wrong,', () => {
  test.each<[what: string, record: Json, path: string, message: string]>([
    ['that is null', null, '', 'must be an object'],
    ['that is a text', 'BSP-CV-001', '', 'must be an object'],
    ['that is a list', [], '', 'must be an object'],
    ['without a biomarker', without('biomarker'), 'biomarker', 'must be the code of a biomarker'],
    ['whose biomarker is a number', measurement({ biomarker: 1 }), 'biomarker', 'must be the code of a biomarker'],
    ['of no category that there is', measurement({ biomarker: 'BSP-XX-001' }), 'biomarker', CODE],
    ['of a code too short', measurement({ biomarker: 'BSP-CV-01' }), 'biomarker', CODE],
    ['of a code too long', measurement({ biomarker: 'BSP-CV-0001' }), 'biomarker', CODE],
    ['of a code in lower case', measurement({ biomarker: 'bsp-cv-001' }), 'biomarker', CODE],
    ['of a category as its code', measurement({ biomarker: 'BSP-CV' }), 'biomarker', CODE],
    ['of a code with something after it', measurement({ biomarker: 'BSP-CV-001\n' }), 'biomarker', CODE],
    ['of a name', measurement({ biomarker: 'ApoB' }), 'biomarker', CODE],
    ['without a value', without('value'), 'value', VALUE],
    ['whose value is null', measurement({ value: null }), 'value', VALUE],
    ['whose value is true', measurement({ value: true }), 'value', VALUE],
    ['whose value is a list', measurement({ value: [1, 2] }), 'value', VALUE],
    ['whose value is empty', measurement({ value: '' }), 'value', TEXT],
    ['whose value is a long text', measurement({ value: 'x'.repeat(10_001) }), 'value', TEXT],
    ['without a unit', without('unit'), 'unit', 'is required'],
    ['whose unit is null', measurement({ unit: null }), 'unit', 'is required'],
    ['whose unit is blank', measurement({ unit: ' \t' }), 'unit', 'is required'],
    ['whose unit is long', measurement({ unit: 'x'.repeat(61) }), 'unit', 'must have at most 60 characters'],
    ['without a time', without('collected_at'), 'collected_at', 'must be an ISO 8601 date and time'],
    ['of a day', measurement({ collected_at: '2026-03-04' }), 'collected_at', WHEN],
    ['of a time without a zone', measurement({ collected_at: '2026-03-04T05:06:07' }), 'collected_at', WHEN],
    ['of the 30th of February', measurement({ collected_at: '2026-02-30T00:00:00Z' }), 'collected_at', WHEN],
    [
      'of a number of seconds',
      measurement({ collected_at: 1_772_000_000 }),
      'collected_at',
      'must be an ISO 8601 date and time',
    ],
    ['of tomorrow', measurement({ collected_at: soon(86_400_000) }), 'collected_at', 'must not be in the future'],
    ['of in two minutes', measurement({ collected_at: soon(120_000) }), 'collected_at', 'must not be in the future'],
    [
      'said to be of another category',
      measurement({ category: 'BSP-LA' }),
      'category',
      'must be BSP-CV for BSP-CV-001',
    ],
    ['said to be of another level', measurement({ level: 'DEVICE' }), 'level', 'must be CORE for BSP-CV-001'],
    ['whose category is a number', measurement({ category: 5 }), 'category', 'must be a string'],
    ['whose confidence is above 1', measurement({ confidence: 1.01 }), 'confidence', RANGE],
    ['whose confidence is below 0', measurement({ confidence: -0.01 }), 'confidence', RANGE],
    ['whose confidence is a text', measurement({ confidence: '0.5' }), 'confidence', RANGE],
    ['whose range is a text', range('< 90'), 'ref_range', SHAPE],
    ['whose range has a member unknown', range({ normal: '< 90' }), 'ref_range.normal', 'is not a member of ref_range'],
    ['whose range has a number for a text', range({ optimal: 90 }), 'ref_range.optimal', 'must be a string'],
    ['whose range has a text for a number', range({ optimal_low: '90' }), 'ref_range.optimal_low', 'must be a number'],
    ['whose source is a text', measurement({ source: 'ELISA' }), 'source', 'must be an object'],
    ['whose source is a list', measurement({ source: [] }), 'source', 'must be an object'],
    ['that corrects a number', measurement({ supersedes: 7 }), 'supersedes', 'must be the id of a record'],
    ['that corrects what is not there', measurement({ supersedes: 'the last one' }), 'supersedes', NOT_THEIRS],
    ['whose version is a number', measurement({ version: 1 }), 'version', 'must be a string'],
    ['whose owner is an object', measurement({ beo_id: {} }), 'beo_id', 'must be a string'],
  ])('%s', async (_, record, path, message) => {
    const answer = await exchange.submit(use, [measurement(), record, measurement()]);
    expectInvalid(answer, 3, [{ index: 1, path, message }]);
  });

  test('and after all of these nothing is stored, and the ledger is intact', async () => {
    expect(await exchange.accesses(use.holder)).toEqual([]);
    expect((await exchange.page(use)).total).toBe(0);
    const entries = await wholeChain(service.service.context.pool);
    expect(entries.filter(({ function: name }) => name === 'submitRecords')).toEqual([]);
  });
});

describe('the text of a batch', () => {
  test.each<[string, string, string]>([
    ['with a NUL', '"a\\u0000b"', 'VALIDATION_FAILED'],
    ['with half of a surrogate pair', '"\\ud800"', 'VALIDATION_FAILED'],
    ['with a number beyond a double', '1e999', 'VALIDATION_FAILED'],
    ['with __proto__', '{"__proto__":{"a":1}}', 'VALIDATION_FAILED'],
    ['with 33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'VALIDATION_FAILED'],
    ['that is not JSON', 'undefined', 'INVALID_JSON'],
  ])('%s is refused before any other check', async (_, value, code) => {
    const body = JSON.stringify(exchange.submission(use, [measurement({ value: 'HERE' })])).replace('"HERE"', value);
    const { status, body: answer } = await service.post(SUBMIT, body);
    expect([status, answer.code]).toEqual([400, code]);
  });
});

describe('a time of collection', () => {
  test('may lie a minute ahead, for clocks that are fast', async () => {
    const other = await exchange.related();
    await exchange.submitted(other, [measurement({ collected_at: soon(45_000) })]);
  });

  test.each([
    '2026-03-04T05:06:07+02:00',
    '2026-03-04T05:06Z',
    '2026-03-04T05:06:07,5Z',
    '1899-12-31T23:59:59.999999Z',
  ])('is read in UTC and exported as it was written: %s', async (collected_at) => {
    const other = await exchange.related();
    await exchange.submitted(other, [measurement({ collected_at })]);
    const [record] = JSON.parse(await exchange.taken(other, 'JSON')).records;
    expect(record.collected_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const whole = collected_at.replace(',', '.').replace(/(\.\d{3})\d+/, '$1');
    expect(Date.parse(record.collected_at)).toBe(Date.parse(whole));
    expect(record.proof.submitted.collected_at).toBe(collected_at);
  });

  test.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00Z', '0050-01-01T00:00:00Z', '0099-12-31T00:00:00Z'])(
    'of before the year 1000 is refused, for not everything reads it as it was: %s',
    async (collected_at) => {
      const other = await exchange.related();
      const answer = await exchange.submit(other, [measurement({ collected_at })]);
      expectInvalid(answer, 1, [{ index: 0, path: 'collected_at', message: WHEN }]);
    },
  );
});

describe('the order of checks', () => {
  test('records come before time and signature, time before the consent', async () => {
    const old = new Date(Date.now() - 600_000).toISOString();
    const sign = (records: Json, timestamp: string, tokenId = use.tokenId) =>
      use.by.person.sign('submitRecords', { targetBeo: use.holder.id, consentToken: tokenId, records }, { timestamp });
    expect((await service.post(SUBMIT, sign([null], old))).body.code).toBe('RECORD_INVALID');
    expectRefusal(await service.post(SUBMIT, sign(measurements(101), old)), 'TOO_MANY_RECORDS');
    const forged = { ...sign([null], new Date().toISOString()), signature: 'x' };
    expect((await service.post(SUBMIT, forged)).body.code).toBe('RECORD_INVALID');
    const unknown = 'tok_00000000-0000-5000-8000-000000000000';
    expectRefusal(await service.post(SUBMIT, sign([measurement()], old, unknown)), 'TIMESTAMP_TOO_OLD');
  });
});
