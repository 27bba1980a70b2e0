import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from './canonical-json.ts';
import { MAX_RECORD_BYTES, recordIssues, submittedRecord } from './record.ts';
import { parseRecordProblem, RECORD_PROBLEMS, recordProblem } from './record-problems.ts';

const PARTS = { most: '10 000', right: 'BSP-CV', biomarker: 'BSP-CV-001' };

describe('a problem of a record', () => {
  test.each(Object.keys(RECORD_PROBLEMS) as (keyof typeof RECORD_PROBLEMS)[])(
    'is known by its words: %s',
    (problem) => {
      const words = recordProblem(problem, PARTS);
      expect(words).not.toMatch(/[{}]/);
      const found = parseRecordProblem(words);
      expect(found?.problem).toBe(problem);
      expect(recordProblem(problem, found?.parts)).toBe(words);
    },
  );

  test.each(['', 'is', 'is required.', 'Invalid input', 'constructor'])('is none of other words: %j', (words) => {
    expect(parseRecordProblem(words)).toBeNull();
  });
});

describe('whatever is submitted', () => {
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

  test('the judge says nothing of it but what the table has', () => {
    const said = new Set<string>();
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        for (const { message } of recordIssues(records as Json[])) {
          const found = parseRecordProblem(message);
          expect([message, found]).not.toContain(null);
          said.add(found?.problem ?? '');
        }
      }),
      { numRuns: 3_000 },
    );
    expect(said.size).toBeGreaterThan(10);
    expect(recordProblem('tooLarge')).toContain(`${MAX_RECORD_BYTES / 1024} KiB`);
  });
});
