import { expect, test } from 'vitest';
import { IEO_TYPES, type IeoType } from '../../protocol/entities/ieo.ts';
import { INTENTS, type Intent } from '../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../protocol/records/taxonomy.ts';
import { lessOf, unusualIn } from './unusual.ts';

const institution = (ieo_type: IeoType, categories: string[] = [], intents: string[] = [], certified = true) => ({
  ieo_type,
  certified,
  certification: { level: 'ADVANCED' as const, granted_at: null, expires_at: null, categories, intents },
});
const asking = (intents: readonly Intent[], categories: readonly string[], expiresInDays: number | null = 30) => ({
  scope: { intents, categories, levels: [], period: null, max_records: null },
  expiresInDays,
});

test('a usual request of a certified institution has nothing unusual, and begins with all that is asked', () => {
  const request = asking(['SUBMIT_RECORD', 'READ_RECORDS'], ['BSP-HM', 'BSP-GN'], 365);
  const none = { intents: [], everything: false, intimate: [], long: false, uncertified: false };
  expect(unusualIn(request, institution('HOSPITAL'))).toEqual(none);
  expect(lessOf(request, institution('HOSPITAL'))).toEqual({
    intents: request.scope.intents,
    categories: ['BSP-HM', 'BSP-GN'],
    days: 365,
    isLess: false,
  });
});

test('reading by a laboratory, everything, genes for an insurer, a long time and no certification are unusual', () => {
  expect(unusualIn(asking(['SUBMIT_RECORD', 'READ_RECORDS'], ['*'], null), institution('LAB', [], [], false))).toEqual({
    intents: ['READ_RECORDS'],
    everything: true,
    intimate: [],
    long: true,
    uncertified: true,
  });
  expect(unusualIn(asking(['READ_RECORDS'], ['BSP-HM', 'BSP-GN'], 366), institution('INSURER'))).toMatchObject({
    intents: ['READ_RECORDS'],
    intimate: ['BSP-GN'],
    long: true,
  });
});

test('adding everything is not reading everything', () => {
  expect(unusualIn(asking(['SUBMIT_RECORD'], ['*']), institution('LAB')).everything).toBe(false);
});

test('a broad request begins with less: without what is unusual or not certified, not with everything, and for 90 days', () => {
  const broad = asking(INTENTS, ['*'], null);
  expect(lessOf(broad, institution('LAB'))).toEqual({
    intents: ['SUBMIT_RECORD'],
    categories: [],
    days: 90,
    isLess: true,
  });
  const certified = institution('HOSPITAL', ['BSP-HM'], ['READ_RECORDS']);
  expect(lessOf(broad, certified)).toEqual({
    intents: ['READ_RECORDS'],
    categories: ['BSP-HM'],
    days: 90,
    isLess: true,
  });
  expect(lessOf(asking(['READ_RECORDS'], ['BSP-HM', 'BSP-CV']), certified)).toMatchObject({
    categories: ['BSP-HM'],
    isLess: true,
  });
  expect(lessOf(asking(['READ_RECORDS'], ['BSP-GN']), institution('RESEARCH'))).toMatchObject({
    categories: [],
    isLess: true,
  });
});

test('no request begins with more than it asks', () => {
  for (const type of IEO_TYPES)
    for (const request of [
      asking(INTENTS, ['*'], null),
      asking(['READ_RECORDS'], ['BSP-HM'], 7),
      asking(INTENTS, CATEGORIES, 1),
    ]) {
      const less = lessOf(request, institution(type, ['BSP-HM', 'BSP-CV']));
      const { intents, categories } = request.scope;
      expect(less.intents.every((intent) => intents.includes(intent))).toBe(true);
      expect(categories.includes('*') || less.categories.every((code) => categories.includes(code))).toBe(true);
      expect(request.expiresInDays === null || less.days <= request.expiresInDays).toBe(true);
    }
});
