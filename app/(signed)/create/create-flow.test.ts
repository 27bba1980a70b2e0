import { describe, expect, test } from 'vitest';
import { screenFor } from '../../_wizard/step-order.ts';
import { CREATE, type Creating } from './create-flow.ts';
import { EMPTY_DRAFT, hasCopy, type KeptDraft } from './kept-draft.ts';

const named: KeptDraft = { ...EMPTY_DRAFT, domain: 'olive.bsp', publicKey: 'ab'.repeat(32) };
const inWords: KeptDraft = { ...named, copy: { as: 'words', domain: 'olive.bsp' } };
const inFile: KeptDraft = { ...named, copy: { as: 'file', domain: 'olive.bsp' } };

const shown = (requested: string | null, draft: KeptDraft | null, changes: Partial<Creating> = {}) =>
  screenFor(CREATE, requested, { draft, isSealed: false, outcome: null, ...changes });

describe('the screens of creating an identity', () => {
  test('begin before the storage is read, but no later one is shown', () => {
    expect(shown(null, null)).toBe('name');
    expect(shown('name', null)).toBe('name');
    expect(shown('key', null)).toBe('loading');
  });

  test('come in order: a name, a copy of the key, a passphrase, and then the request', () => {
    expect(shown('send', EMPTY_DRAFT)).toBe('name');
    expect(shown('send', named)).toBe('key');
    expect(shown('send', inWords)).toBe('here');
    expect(shown('send', inWords, { isSealed: true })).toBe('send');
    expect(shown('public', inWords)).toBe('public');
  });

  test('ask for the passphrase where the identity exists and this browser does not keep its key', () => {
    for (const requested of [null, 'name', 'send']) expect(shown(requested, inWords, { outcome: 'keep' })).toBe('keep');
  });

  test('are past where the last one is opened again', () => {
    expect(shown('done', EMPTY_DRAFT)).toBe('past');
    expect(shown('done', EMPTY_DRAFT, { outcome: 'done' })).toBe('done');
  });
});

test('words are a copy for any name, and a file for the one that it names', () => {
  expect([named, inWords, inFile].map(hasCopy)).toEqual([false, true, true]);
  expect(hasCopy({ ...inWords, domain: 'stone.bsp' })).toBe(true);
  expect(hasCopy({ ...inFile, domain: 'stone.bsp' })).toBe(false);
});
