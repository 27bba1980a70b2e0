import { expect, test } from 'vitest';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY } from '../../protocol/ledger/relayer-keys.ts';
import { pageOf, pageOfEntity, searchFor } from './explore-address.ts';

test('the address of any typed reference is valid', () => {
  expect(pageOf('what? no domain')).toBe('/explore/what%3F%20no%20domain');
  for (const typed of ['no/domain', 'no\\domain', '..', 'a%2Fb', 'a%2eb'])
    expect(pageOf(typed)).toBe(`/explore/search?q=${encodeURIComponent(typed)}`);
});

test('an entry links to its entity, except where that is the ledger', () => {
  expect(pageOfEntity({ function: 'lockBEO', entity_id: 'an-id' })).toBe('/explore/an-id');
  for (const name of [BEGIN_EPOCH, COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY])
    expect(pageOfEntity({ function: name, entity_id: 'ab'.repeat(32) })).toBeUndefined();
});

test('a search for any text has an address', () => {
  expect(searchFor('  ')).toBe('/explore');
  expect(searchFor(' Clínica & Filhos/#1 ')).toBe('/explore/search?q=Cl%C3%ADnica+%26+Filhos%2F%231');
});
