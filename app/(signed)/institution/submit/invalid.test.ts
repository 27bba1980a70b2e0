import { expect, test } from 'vitest';
import { invalidIn } from './invalid.ts';

const items = [5, 7, 9].map((row) => ({ row, record: {} }));
const recordProblem = { kind: 'record', parts: {} };

test('assigns the problems that the server reports to the rows of the file', () => {
  const records = [
    { index: 0, path: 'unit', message: 'is required' },
    { index: 1, path: 'ref_range.functional_low', message: 'must be a number' },
    { index: 1, path: 'category', message: 'must be BSP-CV for BSP-CV-001' },
    { index: 2, path: '', message: 'is larger than 64 KiB' },
    { index: 2, path: 'supersedes', message: 'breaks a rule of a newer server' },
    { index: 8, path: 'unit', message: 'is not in the batch' },
    null,
  ];
  expect(invalidIn({ code: 'RECORD_INVALID', message: '', details: { records } }, items)).toEqual([
    { row: 5, problem: { ...recordProblem, column: 'unit', path: 'unit', problem: 'missing' } },
    { row: 7, problem: { ...recordProblem, column: 'ref_low', path: 'ref_range.functional_low', problem: 'number' } },
    {
      row: 7,
      problem: {
        ...recordProblem,
        column: null,
        path: 'category',
        problem: 'belongs',
        parts: { right: 'BSP-CV', biomarker: 'BSP-CV-001' },
      },
    },
    { row: 9, problem: { ...recordProblem, column: null, path: '', problem: 'tooLarge' } },
    { row: 9, problem: { kind: 'message', message: 'supersedes breaks a rule of a newer server' } },
  ]);
  expect(invalidIn({ code: 'TOKEN_REVOKED', message: '', details: { records } }, items)).toEqual([]);
  expect(invalidIn({ code: 'RECORD_INVALID', message: '' }, items)).toEqual([]);
});
