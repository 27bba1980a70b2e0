import { expect, test } from 'vitest';
import { alignedMs, createNotifier } from './notifier.ts';

const NEVER_MS = 2 ** 31 - 1;

test('delays of a second or more end together, at a whole second and not later than asked', () => {
  expect(alignedMs(1_000, 5_000)).toBe(1_000);
  expect(alignedMs(1_000, 5_002.5)).toBe(997.5);
  expect(alignedMs(1_000, 5_700)).toBe(300);
  expect(alignedMs(30_000, 5_700)).toBe(29_300);
  // A timer that fired early must not end again at the same second.
  expect(alignedMs(1_000, 4_999.5)).toBe(1_000);
  // The clock of the service went back by 400 days.
  expect(alignedMs(400 * 86_400_000, 0)).toBe(NEVER_MS);
});

test('a delay below a second is as long as asked', () => {
  expect(alignedMs(999, 5_700)).toBe(999);
  expect(alignedMs(0, 5_700)).toBe(0);
});

test('a notification ends a pause, but not before its shortest time', async () => {
  const notifier = createNotifier();
  const { signal } = new AbortController();
  const begun = performance.now();
  const paused = notifier.pause(notifier.count(), 20, NEVER_MS, signal);
  notifier.notify();
  await paused;
  expect(performance.now() - begun).toBeGreaterThan(19);

  const immediate = notifier.pause(notifier.count(), 0, NEVER_MS, signal);
  notifier.notify();
  await immediate;
});

test('a notification before the pause ends it, too', async () => {
  const notifier = createNotifier();
  const before = notifier.count();
  notifier.notify();
  await notifier.pause(before, 0, NEVER_MS, new AbortController().signal);
});

test('stopping ends a pause at once', async () => {
  const stopping = new AbortController();
  const notifier = createNotifier();
  const paused = notifier.pause(notifier.count(), NEVER_MS, NEVER_MS, stopping.signal);
  stopping.abort();
  await paused;
  await notifier.pause(notifier.count(), NEVER_MS, NEVER_MS, stopping.signal);
});
