import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { hexToBytes, utf8ToBytes } from '../signing/encoding.ts';
import { sealedDigest } from '../signing/sealing.ts';
import vectors from '../vectors/commitments.json' with { type: 'json' };
import { classifyBiomarker, recordIssues } from './record.ts';
import { commitmentOf } from './submitted.ts';
import { CATEGORIES, levelOf } from './taxonomy.ts';

const GLUCOSE = {
  biomarker: 'BSP-GL-001',
  value: 92,
  unit: 'mg/dL',
  collected_at: '2026-01-30T08:15:00Z',
};

type Changes = Readonly<Record<string, unknown>>;

/** A glucose record with changes; undefined removes a member. */
const changed = (changes: Changes): Json =>
  Object.fromEntries(Object.entries({ ...GLUCOSE, ...changes }).filter(([, value]) => value !== undefined)) as Json;

const issuesOf = (changes: Changes): string[] =>
  recordIssues([changed(changes)]).map(({ path, message }) => `${path} ${message}`);

describe('a submitted record', () => {
  test.each<[what: string, changes: Changes]>([
    ['only the required members', {}],
    ['a negative number', { value: -0.5 }],
    ['zero', { value: 0 }],
    ['a text', { value: '<0.1' }],
    ['a text of 10000 characters', { value: 'ACGT'.repeat(2_500) }],
    ['an object', { value: { systolic: 120, diastolic: [80, 81, null] } }],
    ['a code that is not listed, of a known category', { biomarker: 'BSP-CL-999', unit: 'score' }],
    ['the category and level of its code', { category: 'BSP-GL', level: 'STANDARD' }],
    ['empty optional members', { category: '', level: '', beo_id: '', ieo_id: '', ieo_domain: '' }],
    [
      'null for every optional member',
      {
        category: null,
        level: null,
        ref_range: null,
        confidence: null,
        source: null,
        supersedes: null,
        version: null,
        beo_id: null,
        ieo_id: null,
        ieo_domain: null,
      },
    ],
    ['a range of texts', { ref_range: { optimal: '75-90', functional: '70-99', deficiency: '<70', toxicity: '>126' } }],
    ['a range of numbers', { ref_range: { optimal_low: 75, optimal_high: 90.5, unit: 'mg/dL', population: 'adults' } }],
    ['a range whose members are null', { ref_range: { optimal: null, functional_low: null, unit: null } }],
    ['an empty range', { ref_range: {} }],
    ['confidence 0', { confidence: 0 }],
    ['confidence 1', { confidence: 1 }],
    ['any source', { source: { method: 'LC-MS', equipment: 'QE', operator: null, firmware: '1', calibration: [1] } }],
    ['supersedes in upper case', { supersedes: '3F2E1D0C-9B8A-5C7D-9E6F-5A4B3C2D1E0F' }],
    ['supersedes with an id of the client', { supersedes: 'LAB-2026-0041' }],
    ['an empty supersedes', { supersedes: '' }],
    ['a timestamp in place of collected_at', { collected_at: null, timestamp: '2026-01-30T08:15:00Z' }],
    ['critical values', { ref_range: { critical_low: 40, critical_high: 400 } }],
    ['members that the protocol does not name', { remarks: 'fasting', device: { lot: 7 } }],
    ['members that the service replaces', { record_id: 'mine', status: 'SUPERSEDED', submitted_at: 7, arweave_tx: '' }],
    ['a day', { collected_at: '2026-01-30' }],
    ['another zone', { collected_at: '2026-01-30T09:15:00.123+01:00' }],
    ['a unit of 60 characters', { unit: 'u'.repeat(60) }],
    ['a text in Hebrew, with the marks of its direction', { value: '\u200fשלילי\u200e (<0.1)\u061c' }],
    ['lines and columns', { value: 'one\ttwo\nthree' }],
  ])('may be %s', (_, changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });

  const DIRECTION = 'must not contain invisible characters that change the order of text';
  const NUMBER_TEXT_OBJECT = 'value must be a number, a text or an object';
  const CODE = 'biomarker is not a code of the taxonomy, nor a well-formed one of its categories';
  const CONFIDENCE = 'confidence must be a number from 0 to 1';

  test.each<[what: string, changes: Changes, issue: string]>([
    ['no biomarker', { biomarker: undefined }, 'biomarker must be the code of a biomarker'],
    ['a biomarker that is a number', { biomarker: 1 }, 'biomarker must be the code of a biomarker'],
    ['an unknown category', { biomarker: 'BSP-ZZ-001' }, CODE],
    ['a category for a code', { biomarker: 'BSP-GL' }, CODE],
    ['a name for a code', { biomarker: 'Glucose' }, CODE],
    ['a code in lower case', { biomarker: 'bsp-gl-001' }, CODE],
    ['a code with a space', { biomarker: 'BSP-GL-001 ' }, CODE],
    ['a code with a line break', { biomarker: 'BSP-GL-001\n' }, CODE],
    ['a code with wide digits', { biomarker: 'BSP-GL-００１' }, CODE],
    ['no value', { value: undefined }, NUMBER_TEXT_OBJECT],
    ['null for a value', { value: null }, NUMBER_TEXT_OBJECT],
    ['true for a value', { value: true }, NUMBER_TEXT_OBJECT],
    ['a list for a value', { value: [92] }, NUMBER_TEXT_OBJECT],
    ['infinity', { value: Number.POSITIVE_INFINITY }, NUMBER_TEXT_OBJECT],
    ['an empty text for a value', { value: '' }, 'value must not be empty'],
    ['a text of 10001 characters', { value: 'x'.repeat(10_001) }, 'value must have at most 10 000 characters'],
    ['no unit', { unit: undefined }, 'unit is required'],
    ['null for a unit', { unit: null }, 'unit is required'],
    ['a number for a unit', { unit: 1 }, 'unit is required'],
    ['an empty unit', { unit: '' }, 'unit is required'],
    ['a unit of spaces', { unit: ' \t\u00a0' }, 'unit is required'],
    ['a unit of 61 characters', { unit: 'u'.repeat(61) }, 'unit must have at most 60 characters'],
    ['no time', { collected_at: undefined }, 'collected_at must be an ISO 8601 date and time'],
    [
      'no zone',
      { collected_at: '2026-01-30T08:15:00' },
      'collected_at must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on',
    ],
    [
      'a day that does not exist',
      { collected_at: '2026-02-30T08:15:00Z' },
      'collected_at must be a day, or an ISO 8601 date and time with a zone, from the year 1000 on',
    ],
    ['a number for a time', { collected_at: 1_769_760_900_000 }, 'collected_at must be an ISO 8601 date and time'],
    ['another category', { category: 'BSP-CV' }, 'category must be BSP-GL for BSP-GL-001'],
    ['another level', { level: 'CORE' }, 'level must be STANDARD for BSP-GL-001'],
    ['a level in lower case', { level: 'standard' }, 'level must be STANDARD for BSP-GL-001'],
    ['a category that is a list', { category: ['BSP-GL'] }, 'category must be a string'],
    ['a negative confidence', { confidence: -0.01 }, CONFIDENCE],
    ['a confidence of 1.01', { confidence: 1.01 }, CONFIDENCE],
    ['a confidence in percent', { confidence: '98%' }, CONFIDENCE],
    [
      'a text where a range has numbers',
      { ref_range: { optimal_low: '75' } },
      'ref_range.optimal_low must be a number',
    ],
    ['a number where a range has texts', { ref_range: { optimal: 75 } }, 'ref_range.optimal must be a string'],
    ['a range that is a text', { ref_range: '70-99' }, 'ref_range must be an object of ranges'],
    ['a range that is a list', { ref_range: [70, 99] }, 'ref_range must be an object of ranges'],
    [
      'a range with an unknown member',
      { ref_range: { normal: '70-99' } },
      'ref_range.normal is not a member of ref_range',
    ],
    ['a source that is a text', { source: 'Cobas' }, 'source must be an object'],
    ['a source that is a list', { source: [] }, 'source must be an object'],
    ['supersedes that is an index', { supersedes: 0 }, 'supersedes must be the id of a record'],
    ['supersedes of 501 characters', { supersedes: 'x'.repeat(501) }, 'supersedes must have at most 500 characters'],
    ['a version of 501 characters', { version: 'v'.repeat(501) }, 'version must have at most 500 characters'],
    ['a version that is a number', { version: 1 }, 'version must be a string'],
    ['a beo_id that is an object', { beo_id: {} }, 'beo_id must be a string'],
    ['a value with a direction control', { value: '\u202e2.1' }, `value ${DIRECTION}`],
    ['a unit with a direction control', { unit: 'mg/\u2066dL' }, `unit ${DIRECTION}`],
    [
      'a range with a direction control',
      { ref_range: { population: 'adults\u2069' } },
      `ref_range.population ${DIRECTION}`,
    ],
    ['a source with a direction control', { source: { used: [{ kit: '\u202a' }] } }, `source.used.0.kit ${DIRECTION}`],
    [
      'a member of a value with a direction control',
      { value: { systolic: '\u202d120' } },
      `value.systolic ${DIRECTION}`,
    ],
    ['a member name with a direction control', { device: { '\u202btol': 7 } }, `device ${DIRECTION}`],
    ['a domain that is a number', { ieo_domain: 7 }, 'ieo_domain must be a string'],
  ])('may not be %s', (_, changes, issue) => {
    expect(issuesOf(changes)).toEqual([issue]);
  });

  test.each([null, 92, 'BSP-GL-001', true, [], [GLUCOSE]])('is an object: %j is not', (record) => {
    expect(recordIssues([record])).toEqual([{ index: 0, path: '', message: 'must be an object' }]);
  });

  test('reports all issues with their paths', () => {
    expect(
      issuesOf({ value: null, unit: '', confidence: 7, ref_range: { optimal: 1, optimal_low: '1' } }).sort(),
    ).toEqual([
      CONFIDENCE,
      'ref_range.optimal must be a string',
      'ref_range.optimal_low must be a number',
      'unit is required',
      NUMBER_TEXT_OBJECT,
    ]);
    expect(issuesOf({ category: 'BSP-CV', level: 'CORE' })).toHaveLength(2);
  });

  test('reports five direction controls at most, with short paths: a response must not be much larger than its request', () => {
    const value = { ['long'.repeat(100)]: Array.from({ length: 1_000 }, () => '\u202e') };
    const issues = recordIssues([changed({ value })]);
    expect(issues).toEqual(
      Array.from({ length: 5 }, () => ({
        index: 0,
        path: `value.${'long'.repeat(100)}`.slice(0, 200),
        message: DIRECTION,
      })),
    );
  });
});

describe('a batch', () => {
  test('reports exactly the invalid records, by index', () => {
    const batch = Array.from({ length: 100 }, (_, n) => changed(n === 57 ? { unit: undefined } : {}));
    batch[3] = 'nothing';
    batch[99] = changed({ biomarker: 'BSP-ZZ-001', unit: undefined });
    expect(recordIssues(batch).map(({ index, path }) => [index, path])).toEqual([
      [3, ''],
      [57, 'unit'],
      [99, 'unit'],
    ]);
  });

  const code = fc.tuple(fc.constantFrom(...CATEGORIES), fc.integer({ min: 0, max: 999 }));
  const validRecord = fc
    .record(
      {
        biomarker: code.map(([category, number]) => `${category}-${String(number).padStart(3, '0')}`),
        value: fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.string({ minLength: 1, maxLength: 50 }),
          fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>),
        ),
        unit: fc.stringMatching(/^[a-zA-Z/%]{1,60}$/),
        collected_at: fc
          .date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
          .map((date) => date.toISOString()),
        confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        note: fc.jsonValue() as fc.Arbitrary<Json>,
      },
      { requiredKeys: ['biomarker', 'value', 'unit', 'collected_at'] },
    )
    .filter(({ value }) => !Object.hasOwn(Object(value), '__proto__'));

  test('of valid records has no issues, with or without the category and level of its codes', () => {
    fc.assert(
      fc.property(fc.array(validRecord, { maxLength: 10 }), fc.boolean(), (records, withClassification) => {
        const sent = records.map((record) =>
          withClassification ? { ...record, ...classifyBiomarker(record.biomarker) } : record,
        );
        expect(recordIssues(sent as Json[])).toEqual([]);
      }),
    );
  });

  test('reports each invalid member, whatever the other records are', () => {
    const member = fc.constantFrom('biomarker', 'value', 'unit', 'collected_at');
    fc.assert(
      fc.property(fc.array(fc.tuple(validRecord, fc.option(member)), { maxLength: 10 }), (records) => {
        const sent = records.map(([record, invalid]) => (invalid === null ? record : { ...record, [invalid]: null }));
        expect(recordIssues(sent as Json[]).map(({ index, path }) => [index, path])).toEqual(
          records.flatMap(([, invalid], index) => (invalid === null ? [] : [[index, invalid]])),
        );
      }),
    );
  });

  test('of arbitrary JSON is rejected without an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue() as fc.Arbitrary<Json>, { maxLength: 5 }), (records) => {
        const invalid = new Set(recordIssues(records).map(({ index }) => index));
        expect(invalid.size).toBe(records.length);
      }),
    );
  });
});

describe('the category and level of a biomarker', () => {
  test('are derived from its code', () => {
    for (const category of CATEGORIES) {
      expect(classifyBiomarker(`${category}-999`)).toEqual({ category, level: levelOf(category) });
    }
    expect(classifyBiomarker('BSP-ZZ-001')).toBeNull();
    expect(classifyBiomarker('')).toBeNull();
  });
});

describe('the commitment of a record', () => {
  test.each(vectors.records.map((vector) => [vector.name, vector] as const))(
    'matches the vectors: %s',
    (_, { record, canonical, salt, dataHash, commitment }) => {
      const bytes = utf8ToBytes(canonicalJson(JSON.parse(record) as Json));
      expect(Buffer.from(bytes).toString()).toBe(canonical);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(dataHash);
      expect(commitmentOf(hexToBytes(salt), bytes)).toBe(commitment);
    },
  );

  test.each(vectors.seals.map((vector) => [vector.name, vector] as const))(
    'matches the vectors with the seal of its submission: %s',
    (_, { salt, signature, canonical, sealed }) => {
      expect(sealedDigest(hexToBytes(salt), Buffer.from(signature, 'base64'), canonical)).toBe(sealed);
    },
  );

  test('differs for another salt and for another record', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, fc.string(), fc.string(), (salt, other, record, another) => {
        const commitment = commitmentOf(salt, utf8ToBytes(record));
        expect(commitment).toMatch(/^[0-9a-f]{64}$/);
        const isSame = Buffer.from(salt).equals(other) && record === another;
        expect(commitmentOf(other, utf8ToBytes(another)) === commitment).toBe(isSame);
      }),
    );
  });
});
