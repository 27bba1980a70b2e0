import { expect, test } from 'vitest';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { withParameters } from '../../_ui/with-parameters.ts';
import {
  countsOf,
  EVERYTHING,
  filtered,
  filterIn,
  intentsOf,
  isFiltered,
  parametersOf,
  usableFor,
} from './received-filter.ts';

const consent = (token_id: string, changes: object) =>
  ({
    token_id,
    beo_id: 'an-id',
    status: 'ACTIVE',
    scope: { intents: ['READ_RECORDS'] },
    ...changes,
  }) as unknown as TokenView;

const three = [
  consent('ada', { beo_domain: 'ada.bsp' }),
  consent('bob', { beo_domain: 'bob.bsp', status: 'REVOKED', scope: { intents: ['SUBMIT_RECORD', 'READ_RECORDS'] } }),
  consent('gone', { beo_domain: null, status: 'EXPIRED' }),
];
const ids = (found: TokenView[]) => found.map(({ token_id }) => token_id);

test('filters by status, intent and person', () => {
  expect(ids(filtered(three, EVERYTHING))).toEqual(['ada', 'bob', 'gone']);
  expect(ids(filtered(three, { ...EVERYTHING, status: 'REVOKED' }))).toEqual(['bob']);
  expect(ids(filtered(three, { ...EVERYTHING, intent: 'SUBMIT_RECORD' }))).toEqual(['bob']);
  expect(ids(filtered(three, { ...EVERYTHING, holder: ' ADA' }))).toEqual(['ada']);
  expect(ids(filtered(three, { ...EVERYTHING, holder: 'an-id' }))).toEqual(['gone']);
  const references = new Map([['an-id', 'Ward 7']]);
  expect(ids(filtered(three, { ...EVERYTHING, holder: 'ward' }, references))).toEqual(['ada', 'bob', 'gone']);
  expect(ids(filtered(three, { ...EVERYTHING, holder: 'ala' }, new Map([['an-id', 'Álamo']])))).toEqual([
    'ada',
    'bob',
    'gone',
  ]);
  expect(ids(filtered(three, { ...EVERYTHING, holder: 'ward' }))).toEqual([]);
  expect([isFiltered(EVERYTHING), isFiltered({ ...EVERYTHING, holder: ' ' })]).toEqual([false, false]);
});

test('only consents in force are usable', () => {
  expect(ids(usableFor(three, 'READ_RECORDS'))).toEqual(['ada']);
  expect(usableFor(three, 'SUBMIT_RECORD')).toEqual([]);
  expect(intentsOf(three)).toEqual(['SUBMIT_RECORD', 'READ_RECORDS']);
});

test('counts active consents, the people who gave them, and all', () => {
  const second = consent('second', { beo_domain: 'ada.bsp' });
  const other = consent('other', { beo_id: 'another-id' });
  expect(countsOf([...three, second, other])).toEqual({ active: 3, people: 2, all: 5 });
});

test('a filter is the same in the address, except the person, and what is not known there is ignored', () => {
  const filter = { status: 'ACTIVE', intent: 'READ_RECORDS', holder: 'MRN 4711' } as const;
  const address = withParameters(new URLSearchParams('lang=es'), parametersOf(filter));
  expect(`${address}`).toBe('lang=es&status=ACTIVE&can=READ_RECORDS');
  expect(filterIn(address)).toEqual({ ...filter, holder: '' });
  expect(`${withParameters(address, parametersOf(EVERYTHING))}`).toBe('lang=es');
  expect(filterIn(new URLSearchParams('status=LOST&can=FLY&person=ward'))).toEqual(EVERYTHING);
});
