import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('a new owner takes the slot that was taken first, and never waits', () => {
  const slots = createSlots<string>({ max: 3, maxPerOwner: 2 });
  const [first, second, third] = ['one', 'one', 'two'].map((owner) => slots.take(owner));
  second?.release();
  const fourth = slots.take('three');
  expect(first?.signal.aborted).toBe(false);
  const fifth = slots.take('four');
  expect([first, third, fourth, fifth].map((slot) => slot?.signal.aborted)).toEqual([true, false, false, false]);
});

test('one owner has a limited number of slots, and the others are not ended for it', () => {
  const slots = createSlots<string>({ max: 4, maxPerOwner: 2 });
  const others = [slots.take('other'), slots.take('other')];
  const [first] = [slots.take('one'), slots.take('one')];
  expect(slots.take('one')).toBe(null);
  expect(others.map((slot) => slot?.signal.aborted)).toEqual([false, false]);
  first?.release();
  expect(slots.take('one')).not.toBe(null);
});

test('all are ended at once', () => {
  const slots = createSlots<string>({ max: 2, maxPerOwner: 2 });
  const taken = [slots.take('one'), slots.take('two')];
  slots.endAll();
  expect(taken.map((slot) => slot?.signal.aborted)).toEqual([true, true]);
});
