import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetTabDrafts, readTabDraft, writeTabDraft } from './tab-draft.ts';

/** The browser's storage of a tab, whose own keys are what it stores. */
const METHODS = {
  getItem(this: Record<string, string>, name: string) {
    return this[name] ?? null;
  },
  setItem(this: Record<string, string>, name: string, text: string) {
    this[name] = text;
  },
  removeItem(this: Record<string, string>, name: string) {
    delete this[name];
  },
};
beforeEach(() => void vi.stubGlobal('sessionStorage', Object.create(METHODS)));
afterEach(() => void vi.unstubAllGlobals());

test('the drafts of an identity are forgotten, and those of others stay', () => {
  const names = ['share:i1', 'consent:i1r1', 'share:i2', 'register'];
  for (const name of names) writeTabDraft(name, { name });
  sessionStorage.setItem('other:i1', '{}');
  forgetTabDrafts('i1');
  expect(names.map((name) => readTabDraft(name))).toEqual([null, null, { name: 'share:i2' }, { name: 'register' }]);
  expect(sessionStorage.getItem('other:i1')).toBe('{}');
});
