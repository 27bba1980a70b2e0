import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../signing/canonical-json.ts';
import { amount } from '../test-amount.ts';
import { MAX_RECORD_BYTES, recordIssues, submittedRecord } from './record.ts';
import { parseRecordProblem, RECORD_PROBLEMS, recordProblem } from './record-problems.ts';

const PARTS = { most: '10 000', right: 'BSP-CV', biomarker: 'BSP-CV-001' };

describe('a problem of a record', () => {
  test.each(Object.keys(RECORD_PROBLEMS) as (keyof typeof RECORD_PROBLEMS)[])(
    'can be parsed from its phrase: %s',
    (problem) => {
      const phrase = recordProblem(problem, PARTS);
      expect(phrase).not.toMatch(/[{}]/);
      const found = parseRecordProblem(phrase);
      expect(found?.problem).toBe(problem);
      expect(recordProblem(problem, found?.parts)).toBe(phrase);
    },
  );

  test.each(['', 'is', 'is required.', 'Invalid input', 'constructor'])(
    'is not found in another phrase: %j',
    (phrase) => {
      expect(parseRecordProblem(phrase)).toBeNull();
    },
  );
});

describe('for any batch', () => {
  const members = [...Object.keys(submittedRecord.shape), 'extra'];
  const rangeMembers = ['optimal', 'unit', 'functional_low', 'toxicity_high', 'unknown'];
  const near = fc.oneof(
    fc.jsonValue() as fc.Arbitrary<Json>,
    fc.constantFrom<Json>(
      '',
      ' ',
      'BSP-CV-001',
      'BSP-XX-001',
      '2026-03-04',
      '2026-03-04T05:06:07Z',
      'x'.repeat(10_001),
      -1,
    ),
    fc.dictionary(fc.constantFrom(...rangeMembers), fc.jsonValue() as fc.Arbitrary<Json>),
  );
  const record = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<Json> },
    { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...members), near) },
  );

  test('every issue is a problem of the table', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        for (const { message } of recordIssues(records as Json[])) {
          const found = parseRecordProblem(message);
          expect([message, found]).not.toContain(null);
          seen.add(found?.problem ?? '');
        }
      }),
      { numRuns: amount(500, 3_000) },
    );
    expect(seen.size).toBeGreaterThan(10);
    expect(recordProblem('tooLarge')).toContain(`${MAX_RECORD_BYTES / 1024} KiB`);
  });
});
