import { describe, expect, test } from 'vitest';
import { screenFor } from '../../_wizard/step-order.ts';
import { CREATE, type Creating } from './create-flow.ts';
import { EMPTY_DRAFT, type KeptDraft } from './kept-draft.ts';

const named: KeptDraft = { ...EMPTY_DRAFT, domain: 'olive.bsp' };

const shown = (requested: string | null, draft: KeptDraft | null, changes: Partial<Creating> = {}) =>
  screenFor(CREATE, requested, { draft, isSealed: false, outcome: null, ...changes });

describe('the screens of creating an identity', () => {
  test('begin before the storage is read, but no later one is shown', () => {
    expect(shown(null, null)).toBe('name');
    expect(shown('name', null)).toBe('name');
    expect(shown('here', null)).toBe('loading');
  });

  test('come in order: a name, the protection of the key, the request, and a copy of the key', () => {
    expect(shown('send', EMPTY_DRAFT)).toBe('name');
    expect(shown('send', named)).toBe('here');
    expect(shown('send', named, { isSealed: true })).toBe('send');
    expect(shown('copy', named, { isSealed: true })).toBe('send');
    expect(shown('public', named)).toBe('public');
    expect(shown('send', named, { isSealed: true, outcome: 'copy' })).toBe('copy');
  });

  test('ask how to protect the key where the identity exists and this browser does not keep its key', () => {
    for (const requested of [null, 'name', 'send']) expect(shown(requested, named, { outcome: 'keep' })).toBe('keep');
  });

  test('are past where one of the last is opened again', () => {
    expect(shown('copy', EMPTY_DRAFT)).toBe('past');
    expect(shown('done', EMPTY_DRAFT)).toBe('past');
    expect(shown('done', EMPTY_DRAFT, { outcome: 'done' })).toBe('done');
  });
});
