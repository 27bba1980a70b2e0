import { expect, test } from 'vitest';
import { type UnfinishedSubmission, withSubmission } from './unfinished-submissions.ts';

const submission = (changes: Partial<UnfinishedSubmission>): UnfinishedSubmission => ({
  id: 'a',
  at: '2026-11-27T08:00:00.000Z',
  all: 3,
  failed: ['ada', 'bob'],
  unknown: [],
  receipts: null,
  ...changes,
});
const receipts = { name: 'receipts.json', text: '{}' };
const idsOf = (kept: readonly UnfinishedSubmission[]) => kept.map(({ id }) => id);

test('a submission is kept as it is now, until everything was accepted and its receipts were saved', () => {
  const begun = withSubmission([submission({ id: 'b', failed: ['eve'] })], submission({ receipts }));
  expect(idsOf(begun)).toEqual(['b', 'a']);
  const accepted = withSubmission(begun, submission({ failed: [], receipts }));
  expect(accepted.at(-1)).toMatchObject({ failed: [], receipts });
  const unknown = withSubmission(accepted, submission({ failed: [], unknown: ['ada'] }));
  expect(idsOf(unknown)).toEqual(['b', 'a']);
  expect(idsOf(withSubmission(unknown, submission({ failed: [] })))).toEqual(['b']);
});

test('what is sent again is no longer left of an earlier submission', () => {
  const earlier = [
    submission({ id: 'all' }),
    submission({ id: 'one', failed: ['ada', 'eve'], unknown: ['bob'] }),
    submission({ id: 'receipts', receipts }),
  ];
  const kept = withSubmission(earlier, submission({ id: 'again', failed: ['bob'] }), ['ada']);
  expect(kept.map(({ id, failed, unknown }) => [id, ...failed, ...unknown])).toEqual([
    ['one', 'eve'],
    ['receipts'],
    ['again', 'bob'],
  ]);
});

test('of too many, the oldest without receipts are dropped, never one with them nor the newest', () => {
  const many = (changes: Partial<UnfinishedSubmission>, count: number) =>
    Array.from({ length: count }, (_, index) => submission({ id: `${index}`, failed: [`${index}`], ...changes }));
  const [first, second, ...others] = many({ receipts }, 20);
  if (!first || !second) throw new Error('There are fewer.');
  const newest = submission({ id: 'newest' });
  expect(withSubmission([first, second, ...others], newest)).toHaveLength(21);
  const kept = withSubmission([first, { ...second, receipts: null }, ...others], newest);
  expect(idsOf(kept)).toEqual([first, ...others, newest].map(({ id }) => id));
});
