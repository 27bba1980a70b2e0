import { describe, expect, test } from 'vitest';
import { screenFor } from '../../../../_wizard/step-order.ts';
import { type Draft, EMPTY, GRANT, grantOf, missingIn } from './draft.ts';

const now = new Date(2026, 2, 1, 12).getTime();
const answered: Draft = {
  ...EMPTY,
  recipient: { kind: 'self' },
  intents: ['READ_RECORDS'],
  data: 'some',
  categories: ['BSP-CV', 'BSP-HR'],
  when: 'any',
  lasting: 30,
};

const shown = (requested: string | null, draft: Draft, granted = false) =>
  screenFor(GRANT, requested, { draft, granted, now });

describe('the draft of a consent', () => {
  test('has no defaults, and shows no question before the earlier ones are answered', () => {
    expect(shown(null, EMPTY)).toBe('who');
    expect(shown('review', EMPTY)).toBe('who');
    expect(shown('long', { ...EMPTY, recipient: { kind: 'self' } })).toBe('may');
    expect(shown('nonsense', answered)).toBe('who');
  });

  test('can be reviewed once every question is answered, and each answer changed', () => {
    expect(shown('review', answered)).toBe('review');
    expect(shown('data', answered)).toBe('data');
    expect(shown('data', answered, true)).toBe('done');
  });

  test('reports what is missing or wrong', () => {
    expect(missingIn('data', { ...answered, categories: [] }, now)).toBe('categories');
    expect(missingIn('data', { ...answered, data: null }, now)).toBe('data');
    expect(missingIn('when', { ...answered, when: 'some' }, now)).toBe('dates');
    expect(missingIn('when', { ...answered, when: 'some', from: '2026-02-01', to: '2026-01-01' }, now)).toBe('order');
    expect(missingIn('when', { ...answered, most: '0' }, now)).toBe('most');
    expect(missingIn('when', { ...answered, most: 'ten' }, now)).toBe('most');
    expect(missingIn('long', { ...answered, lasting: 'day', endsOn: '2026-03-01' }, now)).toBe('end');
  });

  test('is converted to the signed fields', () => {
    expect(grantOf(answered, now)).toEqual({
      intents: ['READ_RECORDS'],
      categories: ['BSP-CV', 'BSP-HR'],
      period: null,
      levels: [],
      most: null,
      days: 30,
    });
    const more: Draft = {
      ...answered,
      data: 'all',
      when: 'some',
      from: '2026-01-01',
      most: ' 12 ',
      lasting: 'day',
      endsOn: '2026-03-31',
    };
    expect(grantOf(more, now)).toMatchObject({
      categories: ['*'],
      period: { from: new Date(2026, 0, 1).toISOString(), to: null },
      most: 12,
      days: 31,
    });
    expect(grantOf({ ...more, when: 'any', lasting: 'withdrawn' }, now)).toMatchObject({ period: null, days: null });
  });
});
