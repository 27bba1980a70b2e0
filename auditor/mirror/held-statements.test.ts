import { expect, test } from 'vitest';
import type { SignedHead } from '../../server/ledger/read.ts';
import { headKeys } from './follow.ts';
import { createHeldStatements } from './held-statements.ts';

const at = '2026-11-25T12:00:00.000Z';
const head = (seq: number, id = `entry ${seq}`, epoch = 1): SignedHead => ({ epoch, seq, id, at, signature: '' });

test('a head is held until its entry is reached, and another one for its place is noticed', () => {
  const held = createHeldStatements(headKeys);
  expect(held.hold(head(3))).toBeNull();
  expect(held.hold(head(3))).toBeNull();
  expect(held.hold(head(3, 'other'))).toEqual(head(3));
  expect(held.hold(head(3, 'other', 2))).toBeNull();
  expect(held.hold(head(5))).toBeNull();
  expect(held.reached(2)).toEqual([]);
  expect(held.reached(3)).toEqual([head(3), head(3, 'other'), head(3, 'other', 2)]);
  expect(held.reached(5)).toEqual([head(5)]);
});

test('heads without end do not displace those that are reached first', () => {
  const held = createHeldStatements(headKeys);
  for (let seq = 1; seq <= 1_000; seq++) held.hold(head(seq));
  const reached = held.reached(1_000);
  expect([reached.length, reached[0], reached.at(-1)]).toEqual([100, head(1), head(100)]);
});

test('a head whose entry does not come is overdue after a minute without a new entry', () => {
  let now = 0;
  const held = createHeldStatements(headKeys, () => now);
  now = 500_000;
  held.hold(head(9));
  now += 59_000;
  expect(held.overdue()).toBeNull();
  held.reached(8);
  now += 59_000;
  expect(held.overdue()).toBeNull();
  held.reached(8);
  now += 1_000;
  expect(held.overdue()).toEqual(head(9));
  held.reached(9);
  expect(held.overdue()).toBeNull();
});
