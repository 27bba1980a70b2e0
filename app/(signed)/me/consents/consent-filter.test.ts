import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../protocol/entities/intents.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { arranged, granteesOf, intentCounts, isFiltering, NO_FILTER, type Words } from './consent-filter.ts';
import { countsOf } from './consents-in-force.ts';

/** The members that the filter reads. */
const consent = (token_id: string, changes: Record<string, unknown> & { intents?: Intent[] } = {}) => {
  const { intents = ['READ_RECORDS'], ...rest } = changes;
  return {
    token_id,
    beo_id: 'me',
    ieo_id: 'lab',
    ieo_domain: 'lab.bsp',
    status: 'ACTIVE',
    scope: { intents, categories: ['*'], levels: [], period: null, max_records: null },
    ...rest,
  } as unknown as TokenView;
};

const words: Words = { of: ({ ieo_domain }) => `${ieo_domain} coração`, granteeIds: new Set(['clinic']) };
const shown = (list: TokenView[]) => list.map(({ token_id }) => token_id);

const four = [
  consent('withdrawn', { status: 'REVOKED' }),
  consent('first'),
  consent('expired', { status: 'EXPIRED', ieo_id: 'clinic', ieo_domain: 'clinic.bsp' }),
  consent('adds', { intents: ['SUBMIT_RECORD'], ieo_id: 'clinic', ieo_domain: 'clinic.bsp' }),
];

describe('the list of consents', () => {
  test('has consents in force first', () => {
    expect(shown(arranged(four, NO_FILTER, words))).toEqual(['first', 'adds', 'withdrawn', 'expired']);
    expect(isFiltering(NO_FILTER)).toBe(false);
  });

  test('filters by state, institution and intent', () => {
    expect(shown(arranged(four, { ...NO_FILTER, state: 'ended' }, words))).toEqual(['withdrawn', 'expired']);
    expect(shown(arranged(four, { ...NO_FILTER, grantee: 'clinic' }, words))).toEqual(['adds', 'expired']);
    expect(shown(arranged(four, { ...NO_FILTER, intent: 'SUBMIT_RECORD', state: 'inForce' }, words))).toEqual(['adds']);
  });

  test('searches the words of a consent and the names of institutions, ignoring case and accents', () => {
    expect(shown(arranged(four, { ...NO_FILTER, text: ' LAB  coracao' }, words))).toContain('first');
    expect(shown(arranged(four, { ...NO_FILTER, text: 'saint' }, words))).toEqual(['adds', 'expired']);
    expect(isFiltering({ ...NO_FILTER, text: '  ' })).toBe(false);
  });

  test('counts own consents separately', () => {
    const own = consent('own', { ieo_id: 'me' });
    expect(countsOf([...four, own])).toEqual({ live: 2, own: 1, ended: 2 });
    expect(countsOf([])).toEqual({ live: 0, own: 0, ended: 0 });
  });

  test('counts the consents in force that a withdrawal would end', () => {
    expect(granteesOf(four)).toEqual([
      { id: 'clinic', domain: 'clinic.bsp', inForce: 1, all: 2 },
      { id: 'lab', domain: 'lab.bsp', inForce: 1, all: 2 },
    ]);
    expect(intentCounts(four).filter(({ inForce }) => inForce > 0)).toEqual([
      { intent: 'SUBMIT_RECORD', inForce: 1 },
      { intent: 'READ_RECORDS', inForce: 1 },
    ]);
  });
});
