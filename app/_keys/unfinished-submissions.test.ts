import { expect, test } from 'vitest';
import { type UnfinishedSubmission, withSubmission } from './unfinished-submissions.ts';

const submission = (changes: Partial<UnfinishedSubmission>): UnfinishedSubmission => ({
  id: 'a',
  at: '2026-11-27T08:00:00.000Z',
  accepted: 100,
  all: 250,
  receipts: null,
  ...changes,
});

test('a submission is kept as it is now, until everything was accepted and its receipts were saved', () => {
  const receipts = { name: 'receipts.json', text: '{}' };
  const begun = withSubmission([submission({ id: 'b' })], submission({ receipts }));
  expect(begun.map(({ id }) => id)).toEqual(['b', 'a']);
  const accepted = withSubmission(begun, submission({ accepted: 250, receipts }));
  expect(accepted.at(-1)).toMatchObject({ accepted: 250, receipts });
  expect(withSubmission(accepted, submission({ accepted: 250 })).map(({ id }) => id)).toEqual(['b']);
});
