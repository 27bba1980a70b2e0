import { expect, test } from 'vitest';
import { sendable, stopsIn, withoutInvalid } from './batch-states.ts';
import type { Batch } from './use-submission-sending.ts';

const batch = (token_id: string, rows: readonly number[], state: object): Batch =>
  ({
    consent: { token_id, beo_id: `person of ${token_id}` },
    items: rows.map((row) => ({ row })),
    state,
  }) as unknown as Batch;

const waiting = { kind: 'waiting' };
const accepted = { kind: 'acceptedUnseen', transactionId: 'a' };
const refused = (code: string, ...rows: number[]) => ({
  kind: 'refused',
  failure: { code, message: '' },
  invalid: rows.map((row) => ({ row })),
});
const rowsOf = (batches: Iterable<Batch>) => [...batches].map(({ items }) => items.map(({ row }) => row));

test('nothing more is sent under a consent that was withdrawn, and everything else that is left can be sent', () => {
  const batches = [
    batch('a', [2], accepted),
    batch('a', [3], refused('TOKEN_REVOKED')),
    batch('a', [4], waiting),
    batch('b', [5], refused('UNREACHABLE')),
    batch('b', [6], waiting),
    batch('c', [7], refused('BEO_LOCKED')),
  ];
  expect(rowsOf(sendable(batches))).toEqual([[5], [6], [7]]);
});

test('records that the server rejected are held back, and the others of their part can be sent', () => {
  const batches = [batch('a', [2, 3, 4], refused('RECORD_INVALID', 3)), batch('a', [5], waiting)];
  const split = withoutInvalid(batches);
  expect(rowsOf(split)).toEqual([[3], [2, 4], [5]]);
  expect(rowsOf(sendable(split))).toEqual([[2, 4], [5]]);
  expect(rowsOf(withoutInvalid(split))).toEqual([[3], [2, 4], [5]]);
  expect(rowsOf(sendable([batch('a', [2], refused('RECORD_INVALID', 2))]))).toEqual([]);
});

test('the row where a person’s records stopped is the first that was rejected, or the first of the part', () => {
  const batches = [
    batch('a', [2, 3], refused('RECORD_INVALID', 3)),
    batch('b', [4, 5], refused('TOKEN_REVOKED')),
    batch('b', [6], refused('TOKEN_REVOKED')),
  ];
  expect(stopsIn(batches).map(({ row }) => row)).toEqual([3, 4]);
});
