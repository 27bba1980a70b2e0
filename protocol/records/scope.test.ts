import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { INTENTS } from '../entities/intents.ts';
import { normalizedScope, scope } from './scope.ts';
import { CATEGORIES, LEVELS } from './taxonomy.ts';

const READ = { intents: ['READ_RECORDS'], categories: ['BSP-CV'] };

/** The error codes of a scope; empty if it is valid. */
const refusals = (value: unknown): string[] =>
  (scope.safeParse(value).error?.issues ?? []).map((issue) =>
    String((issue.code === 'custom' && issue.params?.code) || 'VALIDATION_FAILED'),
  );

describe('a scope', () => {
  test.each<[string, unknown]>([
    ['one intent and one category', READ],
    ['every intent and every category by name', { intents: INTENTS, categories: CATEGORIES }],
    ['all categories', { ...READ, categories: ['*'] }],
    ['every level', { ...READ, levels: LEVELS }],
    ['an empty list of levels', { ...READ, levels: [] }],
    ['every optional member null', { ...READ, levels: null, period: null, max_records: null }],
    ['a period that is open', { ...READ, period: {} }],
    ['a period with open ends', { ...READ, period: { from: null, to: null } }],
    ['a period with a beginning', { ...READ, period: { from: '2026-01-01T00:00:00Z' } }],
    ['a period with an end', { ...READ, period: { from: null, to: '2026-01-01T00:00+01:00' } }],
    ['a period of an instant', { ...READ, period: { from: '2026-01-01T01:00:00+01:00', to: '2026-01-01T00:00:00Z' } }],
    ['one record', { ...READ, max_records: 1 }],
    ['very many records', { ...READ, max_records: 1_000_000_000 }],
  ])('may be: %s', (_, value) => {
    expect(refusals(value)).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['SCOPE_REQUIRED']],
    ['null', null, ['SCOPE_REQUIRED']],
    ['an empty list', [], ['SCOPE_REQUIRED']],
    ['empty', {}, ['SCOPE_REQUIRED', 'CATEGORIES_REQUIRED']],
    ['without intents', { categories: ['*'] }, ['SCOPE_REQUIRED']],
    ['with intents null', { ...READ, intents: null }, ['SCOPE_REQUIRED']],
    ['with no intent', { ...READ, intents: [] }, ['SCOPE_REQUIRED']],
    ['without categories', { intents: ['READ_RECORDS'] }, ['CATEGORIES_REQUIRED']],
    ['with categories null', { ...READ, categories: null }, ['CATEGORIES_REQUIRED']],
    ['with no category', { ...READ, categories: [] }, ['CATEGORIES_REQUIRED']],
  ])('is rejected with its own code if a required part is missing: %s', (_, value, codes) => {
    expect(refusals(value)).toEqual(codes);
  });

  test.each<[string, unknown]>([
    ['a text', 'READ_RECORDS'],
    ['a list', [READ]],
    ['a number', 7],
    ['an unknown member', { ...READ, colour: 'red' }],
    ['maxRecords for max_records', { ...READ, maxRecords: 1 }],
    ['a member called __proto__', JSON.parse('{"intents":["READ_RECORDS"],"categories":["*"],"__proto__":{"a":1}}')],
    ['an unknown intent', { ...READ, intents: ['WRITE_RECORDS'] }],
    ['an intent in lower case', { ...READ, intents: ['read_records'] }],
    ['all intents', { ...READ, intents: ['*'] }],
    ['an intent twice', { ...READ, intents: ['READ_RECORDS', 'READ_RECORDS'] }],
    ['intents that are no list', { ...READ, intents: 'READ_RECORDS' }],
    ['intents that are an object', { ...READ, intents: { 0: 'READ_RECORDS' } }],
    ['an unknown category', { ...READ, categories: ['BSP-XX'] }],
    ['a category in lower case', { ...READ, categories: ['bsp-cv'] }],
    ['a biomarker for a category', { ...READ, categories: ['BSP-CV-001'] }],
    ['a category twice', { ...READ, categories: ['BSP-CV', 'BSP-CV'] }],
    ['* twice', { ...READ, categories: ['*', '*'] }],
    ['* with others', { ...READ, categories: ['*', 'BSP-CV'] }],
    ['others with *', { ...READ, categories: ['BSP-CV', '*'] }],
    ['* as a text', { ...READ, categories: '*' }],
    ['the name of an inherited member for a category', { ...READ, categories: ['constructor'] }],
    ['an unknown level', { ...READ, levels: ['BASIC'] }],
    ['a level twice', { ...READ, levels: ['CORE', 'CORE'] }],
    ['levels that are no list', { ...READ, levels: 'CORE' }],
    [
      'a period that ends before it begins',
      { ...READ, period: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
    ],
    [
      'a period that ends before it begins in UTC',
      { ...READ, period: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:30:00+01:00' } },
    ],
    ['a period by the day', { ...READ, period: { from: '2026-01-01', to: '2026-01-02' } }],
    ['a period without zones', { ...READ, period: { from: '2026-01-01T00:00:00' } }],
    ['a period in milliseconds', { ...READ, period: { from: 1_769_860_800_000 } }],
    ['a period of other members', { ...READ, period: { start: null, end: null } }],
    ['a period that is a list', { ...READ, period: [null, null] }],
    ['no record', { ...READ, max_records: 0 }],
    ['a negative number of records', { ...READ, max_records: -1 }],
    ['a fractional number of records', { ...READ, max_records: 1.5 }],
    ['too many records', { ...READ, max_records: 1_000_000_001 }],
    ['a number as a text', { ...READ, max_records: '10' }],
    ['an infinite number of records', { ...READ, max_records: Number.POSITIVE_INFINITY }],
  ])('may not be: %s', (_, value) => {
    const codes = refusals(value);
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes)).toEqual(new Set(['VALIDATION_FAILED']));
  });
});

describe('a normalized scope', () => {
  type Sent = z.infer<typeof scope>;
  const sent = { intents: ['READ_RECORDS'], categories: ['*'] } as unknown as Sent;
  const whole = { ...sent, levels: [], period: null, max_records: null };

  test.each<[string, object]>([
    ['absent', {}],
    ['null', { levels: null, period: null, max_records: null }],
    ['empty', { levels: [], period: {} }],
    ['open at both ends', { period: { from: null, to: null } }],
  ])('has the same defaults if members were %s', (_, changes) => {
    expect(normalizedScope({ ...sent, ...changes })).toEqual(whole);
  });

  test('has its period in UTC, and null for an open end', () => {
    const period = { from: '2026-01-01T00:00:00+01:00' };
    expect(normalizedScope({ ...sent, period }).period).toEqual({ from: '2025-12-31T23:00:00.000Z', to: null });
    expect(normalizedScope({ ...sent, period: { to: '2026-01-01T00:00Z' } }).period).toEqual({
      from: null,
      to: '2026-01-01T00:00:00.000Z',
    });
  });

  test('is equivalent to the original, and valid itself', () => {
    const time = fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const nonEmptySubset = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });
    const anyScope = fc.record({
      intents: nonEmptySubset(INTENTS),
      categories: fc.oneof(nonEmptySubset(CATEGORIES), fc.constant(['*'])),
      levels: optional(nonEmptySubset(LEVELS)),
      period: optional(fc.record({ from: fc.option(time), to: fc.constant(null) })),
      max_records: optional(fc.integer({ min: 1, max: 1_000_000_000 })),
    });
    fc.assert(
      fc.property(anyScope, (value) => {
        expect(refusals(value)).toEqual([]);
        const complete = normalizedScope(value as unknown as Sent);
        expect(complete).toMatchObject({
          intents: value.intents,
          categories: value.categories,
          levels: value.levels ?? [],
        });
        expect(normalizedScope(complete as unknown as Sent)).toEqual(complete);
        expect(refusals(complete)).toEqual([]);
      }),
    );
  });
});
