import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from './memory-store.ts';

const WINDOW_MS = 60_000;
const closers: (() => Promise<void>)[] = [];

function openStore(maxSubjects?: number) {
  const clock = { at: 1_000_000 };
  const store = createMemoryStore({ now: () => clock.at, ...(maxSubjects === undefined ? {} : { maxSubjects }) });
  closers.push(store.close);
  const charge = (name: string, limit = 10) => store.charge(name, limit);
  const charges = (name: string, times: number, limit = 10) =>
    Array.from({ length: times }, () => charge(name, limit)).filter(({ allowed }) => allowed).length;
  return { store, clock, charge, charges };
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the window in memory', () => {
  test('allows a charge if and only if fewer than the limit were allowed in the 60 seconds before it', () => {
    const gaps = fc.array(
      fc.oneof(
        fc.constantFrom(0, 20_000, 30_000),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 70_000 }),
      ),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 12 }), (waits, limit) => {
        const { clock, charge } = openStore();
        const allowed: number[] = [];
        for (const wait of waits) {
          clock.at += wait;
          const counted = allowed.filter((at) => at > clock.at - WINDOW_MS);
          const { allowed: isAllowed, remaining, reset } = charge('client', limit);
          expect(isAllowed).toBe(counted.length < limit);
          if (isAllowed) allowed.push(clock.at);
          expect(remaining).toBe(isAllowed ? limit - counted.length - 1 : 0);
          expect(reset).toBe((counted[0] ?? clock.at) + WINDOW_MS);
        }
      }),
    );
  });

  test('allows no extra charges at the start of a minute', () => {
    const { clock, charges } = openStore();
    clock.at = 59_990;
    expect(charges('client', 20)).toBe(10);
    clock.at = 60_010;
    expect(charges('client', 20)).toBe(0);
    clock.at = 59_990 + WINDOW_MS - 1;
    expect(charges('client', 20)).toBe(0);
    clock.at = 59_990 + WINDOW_MS;
    expect(charges('client', 20)).toBe(10);
  });

  test('removes subjects whose window has passed', () => {
    const { store, clock, charges } = openStore();
    for (let index = 0; index < 1_000; index++) charges(`visitor ${index}`, 1);
    expect(store.size()).toBe(1_000);
    clock.at += WINDOW_MS;
    for (let index = 0; index < 1_000; index++) charges('another client', 1);
    expect(store.size()).toBe(1);
  });

  test('removes them even without further charges', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { store, clock, charges } = openStore();
      for (let index = 0; index < 1_000; index++) charges(`visitor ${index}`, 1);
      clock.at += WINDOW_MS;
      vi.advanceTimersByTime(WINDOW_MS);
      expect(store.size()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a flood of subjects', () => {
  test('cannot make the store grow or evict a subject that has used most of its limit', () => {
    const { store, charges } = openStore(1_000);
    expect(charges('refused', 20)).toBe(10);
    expect(charges('nearly refused', 9)).toBe(9);
    let admitted = 0;
    for (let index = 0; index < 20_000; index++) admitted += charges(`visitor ${index}`, 1);
    expect(admitted).toBe(20_000);
    expect(store.size()).toBe(1_000);
    expect(charges('refused', 20)).toBe(0);
    expect(charges('nearly refused', 20)).toBe(1);
  });

  test('compares a subject’s use with its own limit', () => {
    const { charges } = openStore(100);
    expect(charges('guardian', 4, 5)).toBe(4);
    for (let index = 0; index < 1_000; index++) charges(`reader ${index}`, 20, 60);
    expect(charges('guardian', 10, 5)).toBe(1);
  });

  test('of subjects that use their whole limit refuses new subjects until the first window passes', () => {
    const { store, clock, charge, charges } = openStore(100);
    for (let index = 0; index < 100; index++) {
      clock.at += 10;
      expect(charges(`heavy ${index}`, 20)).toBe(10);
    }
    const { allowed, reset } = charge('newcomer');
    expect(allowed).toBe(false);
    expect(reset).toBeGreaterThan(clock.at);
    expect(charges('heavy 3', 20)).toBe(0);
    expect(store.size()).toBe(100);
    clock.at = reset;
    expect(charges('newcomer', 1)).toBe(1);
    expect(store.size()).toBeLessThanOrEqual(100);
  });

  test('evicts an expired subject before a current one', () => {
    const { store, clock, charges } = openStore(10);
    for (let index = 0; index < 9; index++) charges(`old ${index}`, 10);
    clock.at += WINDOW_MS - 1;
    charges('current', 1);
    clock.at += 1;
    for (let index = 0; index < 9; index++) expect(charges(`new ${index}`, 1)).toBe(1);
    expect(store.size()).toBe(10);
    expect(charges('current', 20)).toBe(9);
  });
});
