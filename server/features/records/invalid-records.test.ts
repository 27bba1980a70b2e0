import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields } from '../../write/test-parties.ts';
import {
  type ConsentParties,
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
  measurements,
  SUBMIT,
} from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.newConsent();
});
afterAll(() => service.stop());

const omitting = (name: string): Fields => {
  const { [name]: _, ...rest } = measurement();
  return rest;
};
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
const range = (ref_range: Json): Fields => measurement({ ref_range });

const CONFIDENCE = 'must be a number from 0 to 1';
const TIME = 'must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on';
const RANGES = 'must be an object of ranges';
const NOT_FOUND = 'is not a record of this person and institution';
const CODE = 'is not a code of the taxonomy, nor a well-formed one of its categories';
const VALUE = 'must be a number, a text or an object';
const TEXT = expect.stringMatching(/^must /);

describe('a record is refused with its index and the problem:', () => {
  test.each<[what: string, record: Json, path: string, message: string]>([
    ['null', null, '', 'must be an object'],
    ['a string', 'BSP-CV-001', '', 'must be an object'],
    ['an array', [], '', 'must be an object'],
    ['no biomarker', omitting('biomarker'), 'biomarker', 'must be the code of a biomarker'],
    ['a number as biomarker', measurement({ biomarker: 1 }), 'biomarker', 'must be the code of a biomarker'],
    ['a biomarker of an unknown category', measurement({ biomarker: 'BSP-XX-001' }), 'biomarker', CODE],
    ['a biomarker that is too short', measurement({ biomarker: 'BSP-CV-01' }), 'biomarker', CODE],
    ['a biomarker that is too long', measurement({ biomarker: 'BSP-CV-0001' }), 'biomarker', CODE],
    ['a biomarker in lower case', measurement({ biomarker: 'bsp-cv-001' }), 'biomarker', CODE],
    ['a category as biomarker', measurement({ biomarker: 'BSP-CV' }), 'biomarker', CODE],
    ['a biomarker followed by a line break', measurement({ biomarker: 'BSP-CV-001\n' }), 'biomarker', CODE],
    ['a name as biomarker', measurement({ biomarker: 'ApoB' }), 'biomarker', CODE],
    ['no value', omitting('value'), 'value', VALUE],
    ['a null value', measurement({ value: null }), 'value', VALUE],
    ['a boolean value', measurement({ value: true }), 'value', VALUE],
    ['an array as value', measurement({ value: [1, 2] }), 'value', VALUE],
    ['an empty value', measurement({ value: '' }), 'value', TEXT],
    ['a value that is too long', measurement({ value: 'x'.repeat(10_001) }), 'value', TEXT],
    ['no unit', omitting('unit'), 'unit', 'is required'],
    ['a null unit', measurement({ unit: null }), 'unit', 'is required'],
    ['a blank unit', measurement({ unit: ' \t' }), 'unit', 'is required'],
    ['a unit that is too long', measurement({ unit: 'x'.repeat(61) }), 'unit', 'must have at most 60 characters'],
    ['no time of collection', omitting('collected_at'), 'collected_at', 'must be an ISO 8601 date and time'],
    ['a month without a day', measurement({ collected_at: '2026-03' }), 'collected_at', TIME],
    ['a time without a zone', measurement({ collected_at: '2026-03-04T05:06:07' }), 'collected_at', TIME],
    ['the 30th of February', measurement({ collected_at: '2026-02-30T00:00:00Z' }), 'collected_at', TIME],
    [
      'a time in seconds',
      measurement({ collected_at: 1_772_000_000 }),
      'collected_at',
      'must be an ISO 8601 date and time',
    ],
    [
      'a time tomorrow',
      measurement({ collected_at: fromNow(86_400_000) }),
      'collected_at',
      'must not be in the future',
    ],
    [
      'a time in two minutes',
      measurement({ collected_at: fromNow(120_000) }),
      'collected_at',
      'must not be in the future',
    ],
    [
      'a category that is not the biomarker’s',
      measurement({ category: 'BSP-LA' }),
      'category',
      'must be BSP-CV for BSP-CV-001',
    ],
    ['a level that is not the biomarker’s', measurement({ level: 'DEVICE' }), 'level', 'must be CORE for BSP-CV-001'],
    ['a number as category', measurement({ category: 5 }), 'category', 'must be a string'],
    ['a confidence above 1', measurement({ confidence: 1.01 }), 'confidence', CONFIDENCE],
    ['a confidence below 0', measurement({ confidence: -0.01 }), 'confidence', CONFIDENCE],
    ['a string as confidence', measurement({ confidence: '0.5' }), 'confidence', CONFIDENCE],
    ['a string as range', range('< 90'), 'ref_range', RANGES],
    ['an unknown member of the range', range({ normal: '< 90' }), 'ref_range.normal', 'is not a member of ref_range'],
    ['a number instead of a string in the range', range({ optimal: 90 }), 'ref_range.optimal', 'must be a string'],
    [
      'a string instead of a number in the range',
      range({ optimal_low: '90' }),
      'ref_range.optimal_low',
      'must be a number',
    ],
    ['a string as source', measurement({ source: 'ELISA' }), 'source', 'must be an object'],
    ['an array as source', measurement({ source: [] }), 'source', 'must be an object'],
    ['a number in supersedes', measurement({ supersedes: 7 }), 'supersedes', 'must be the id of a record'],
    ['an unknown record in supersedes', measurement({ supersedes: 'the last one' }), 'supersedes', NOT_FOUND],
    ['a number as version', measurement({ version: 1 }), 'version', 'must be a string'],
    ['an object as beo_id', measurement({ beo_id: {} }), 'beo_id', 'must be a string'],
  ])('%s', async (_, record, path, message) => {
    const answer = await exchange.submit(use, [measurement(), record, measurement()]);
    expectInvalid(answer, 3, [{ index: 1, path, message }]);
  });

  test('none of these requests has stored anything', async () => {
    expect(await exchange.accessEvents(use.holder)).toEqual([]);
    expect((await exchange.page(use)).total).toBe(0);
    const entries = await wholeChain(service.service.context.pool);
    expect(entries.filter(({ function: name }) => name === 'submitRecords')).toEqual([]);
  });
});

describe('the body of a submission', () => {
  test.each<[string, string, string]>([
    ['with a NUL', '"a\\u0000b"', 'VALIDATION_FAILED'],
    ['with a lone surrogate', '"\\ud800"', 'VALIDATION_FAILED'],
    ['with __proto__', '{"__proto__":{"a":1}}', 'VALIDATION_FAILED'],
    ['with 33 levels of nesting', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'VALIDATION_FAILED'],
    ['that is not JSON', 'undefined', 'INVALID_JSON'],
  ])('%s is refused before any other check', async (_, value, code) => {
    const body = JSON.stringify(exchange.submission(use, [measurement({ value: 'HERE' })])).replace('"HERE"', value);
    const { status, body: answer } = await service.post(SUBMIT, body);
    expect([status, answer.code]).toEqual([400, code]);
  });
});

describe('a time of collection', () => {
  test('may be up to a minute in the future, for clocks that run fast', async () => {
    const consent = await exchange.newConsent();
    await exchange.submitted(consent, [measurement({ collected_at: fromNow(45_000) })]);
  });

  test.each([
    '2026-03-04T05:06:07+02:00',
    '2026-03-04T05:06Z',
    '2026-03-04T05:06:07,5Z',
    '1899-12-31T23:59:59.999999Z',
  ])('is exported in UTC and, in the proof, as it was sent: %s', async (collected_at) => {
    const consent = await exchange.newConsent();
    await exchange.submitted(consent, [measurement({ collected_at })]);
    const [record] = JSON.parse(await exchange.exported(consent, 'JSON')).records;
    expect(record.collected_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const milliseconds = collected_at.replace(',', '.').replace(/(\.\d{3})\d+/, '$1');
    expect(Date.parse(record.collected_at)).toBe(Date.parse(milliseconds));
    expect(record.proof.submitted.collected_at).toBe(collected_at);
  });

  test.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00Z', '0050-01-01T00:00:00Z', '0099-12-31T00:00:00Z'])(
    'before the year 1000 is refused, since parsers disagree about it: %s',
    async (collected_at) => {
      const consent = await exchange.newConsent();
      const answer = await exchange.submit(consent, [measurement({ collected_at })]);
      expectInvalid(answer, 1, [{ index: 0, path: 'collected_at', message: TIME }]);
    },
  );
});

describe('the order of checks', () => {
  test('is records before time and signature, and time before consent', async () => {
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
