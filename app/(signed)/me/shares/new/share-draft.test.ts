import { expect, test } from 'vitest';
import { screenFor } from '../../../../_wizard/step-order.ts';
import { missingIn, NEW_SHARE, openingsOf, SHARE, type ShareDraft } from './share-draft.ts';

const missing = (step: Parameters<typeof missingIn>[0], draft: Partial<ShareDraft>, passcode = '') =>
  missingIn(step, { ...NEW_SHARE, ...draft }, passcode);

test('each question names what is missing in its answer', () => {
  expect(missing('what', {})).toBe('what');
  expect([missing('what', { what: 'since' }), missing('what', { what: 'since', since: '2026-02-30' })]).toEqual([
    'since',
    'since',
  ]);
  expect([missing('what', { what: 'visits' }), missing('what', { what: 'kinds' })]).toEqual(['visits', 'kinds']);
  for (const answered of [
    { what: 'summary' },
    { what: 'shown' },
    { what: 'since', since: '2026-02-28' },
    { what: 'kinds', kinds: ['BSP-VT-001'] },
  ] as const)
    expect(missing('what', answered)).toBeNull();
  expect([missing('who', { note: ' ' }), missing('who', { note: 'Dr Lima' })]).toEqual(['note', null]);
  expect(missing('how', {})).toBeNull();
  expect([missing('how', { hasPasscode: true }, ' abc '), missing('how', { hasPasscode: true }, '4711')]).toEqual([
    'passcode',
    null,
  ]);
});

test('openings are a number from 1 to 100', () => {
  const read = (openings: string) => openingsOf({ openings });
  expect(['1', ' 100 ', '0', '101', '1e1', '', 'ten', '-5'].map(read)).toEqual([1, 100, ...Array(6).fill(null)]);
});

test('a reload at the review asks for the passcode again, which is not stored', () => {
  const draft: ShareDraft = { ...NEW_SHARE, what: 'summary', note: 'Dr Lima', hasPasscode: true };
  expect(screenFor(SHARE, 'review', { draft, passcode: '4711' })).toBe('review');
  expect(screenFor(SHARE, 'review', { draft, passcode: '' })).toBe('how');
});
