import { expect, test } from 'vitest';
import { BEGIN_EPOCH } from '../../protocol/epoch.ts';
import { exploredReference, pageOf, pageOfEntity } from './reference.ts';

test('what somebody types is taken for what they mean', () => {
  const id = '0e9a4f6c-6b1c-5f43-9f3f-0d7a4e1c2b3a';
  const transaction = 'aB3-'.repeat(10).concat('xY0');
  expect(exploredReference(' Ana ', 'bsp')).toBe('ana.bsp');
  for (const typed of [id, `tok_${id}`, transaction, 'ana.bsp']) expect(exploredReference(typed, 'bsp')).toBe(typed);
  expect(exploredReference('   ', 'bsp')).toBe('');
});

test('an address carries whatever was typed', () => {
  expect(pageOf('what? no domain')).toBe('/explore/what%3F%20no%20domain');
  for (const typed of ['no/domain', 'no\\domain', '..', 'a%2Fb', 'a%2eb'])
    expect(pageOf(typed)).toBe(`/explore?q=${encodeURIComponent(typed)}`);
});

test('an entry leads to what it is about, but to nothing where that is the ledger itself', () => {
  expect(pageOfEntity({ function: 'lockBEO', entity_id: 'an-id' })).toBe('/explore/an-id');
  expect(pageOfEntity({ function: BEGIN_EPOCH, entity_id: 'ab'.repeat(32) })).toBeUndefined();
});
