import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from './memory-store.ts';

const WINDOW_MS = 60_000;
const closers: (() => Promise<void>)[] = [];

function openStore(maxSubjects?: number) {
  const clock = { at: 1_000_000 };
  const store = createMemoryStore({ now: () => clock.at, ...(maxSubjects === undefined ? {} : { maxSubjects }) });
  closers.push(store.close);
  const windows = new Map<number, ReturnType<ReturnType<typeof store.window>>>();
  function charge(name: string, limit = 10) {
    const window = windows.get(limit) ?? store.window(limit)();
    windows.set(limit, window);
    return window.limit({ redis: store.redis, prefix: '' } as Parameters<typeof window.limit>[0], name);
  }
  async function charges(name: string, times: number, limit = 10) {
    const answers = await Promise.all(Array.from({ length: times }, () => charge(name, limit)));
    return answers.filter(({ success }) => success).length;
  }
  return { store, clock, charge, charges };
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the window in memory', () => {
  test('allows a charge if and only if fewer than the limit were allowed in the 60 seconds before it', async () => {
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
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 12 }), async (waits, limit) => {
        const { clock, charge } = openStore();
        const allowed: number[] = [];
        for (const wait of waits) {
          clock.at += wait;
          const counted = allowed.filter((at) => at > clock.at - WINDOW_MS);
          const { success, remaining, reset } = await charge('client', limit);
          expect(success).toBe(counted.length < limit);
          if (success) allowed.push(clock.at);
          expect(remaining).toBe(success ? limit - counted.length - 1 : 0);
          expect(reset).toBe((counted[0] ?? clock.at) + WINDOW_MS);
        }
      }),
    );
  });

  test('allows no extra charges at the start of a minute', async () => {
    const { clock, charges } = openStore();
    clock.at = 59_990;
    expect(await charges('client', 20)).toBe(10);
    clock.at = 60_010;
    expect(await charges('client', 20)).toBe(0);
    clock.at = 59_990 + WINDOW_MS - 1;
    expect(await charges('client', 20)).toBe(0);
    clock.at = 59_990 + WINDOW_MS;
    expect(await charges('client', 20)).toBe(10);
  });

  test('removes subjects whose window has passed', async () => {
    const { store, clock, charges } = openStore();
    for (let index = 0; index < 1_000; index++) await charges(`visitor ${index}`, 1);
    expect(store.size()).toBe(1_000);
    clock.at += WINDOW_MS;
    for (let index = 0; index < 1_000; index++) await charges('another client', 1);
    expect(store.size()).toBe(1);
  });

  test('removes them even without further charges', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { store, clock, charges } = openStore();
      for (let index = 0; index < 1_000; index++) await charges(`visitor ${index}`, 1);
      clock.at += WINDOW_MS;
      vi.advanceTimersByTime(WINDOW_MS);
      expect(store.size()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a flood of subjects', () => {
  test('cannot make the store grow or evict a subject that has used most of its limit', async () => {
    const { store, charges } = openStore(1_000);
    expect(await charges('refused', 20)).toBe(10);
    expect(await charges('nearly refused', 9)).toBe(9);
    let admitted = 0;
    for (let index = 0; index < 20_000; index++) admitted += await charges(`visitor ${index}`, 1);
    expect(admitted).toBe(20_000);
    expect(store.size()).toBe(1_000);
    expect(await charges('refused', 20)).toBe(0);
    expect(await charges('nearly refused', 20)).toBe(1);
  });

  test('compares a subject’s use with its own limit', async () => {
    const { charges } = openStore(100);
    expect(await charges('guardian', 4, 5)).toBe(4);
    for (let index = 0; index < 1_000; index++) await charges(`reader ${index}`, 20, 60);
    expect(await charges('guardian', 10, 5)).toBe(1);
  });

  test('of subjects that use their whole limit refuses new subjects until the first window passes', async () => {
    const { store, clock, charge, charges } = openStore(100);
    for (let index = 0; index < 100; index++) {
      clock.at += 10;
      expect(await charges(`heavy ${index}`, 20)).toBe(10);
    }
    const { success, reset } = await charge('newcomer');
    expect(success).toBe(false);
    expect(reset).toBeGreaterThan(clock.at);
    expect(await charges('heavy 3', 20)).toBe(0);
    expect(store.size()).toBe(100);
    clock.at = reset;
    expect(await charges('newcomer', 1)).toBe(1);
    expect(store.size()).toBeLessThanOrEqual(100);
  });

  test('evicts an expired subject before a current one', async () => {
    const { store, clock, charges } = openStore(10);
    for (let index = 0; index < 9; index++) await charges(`old ${index}`, 10);
    clock.at += WINDOW_MS - 1;
    await charges('current', 1);
    clock.at += 1;
    for (let index = 0; index < 9; index++) expect(await charges(`new ${index}`, 1)).toBe(1);
    expect(store.size()).toBe(10);
    expect(await charges('current', 20)).toBe(9);
  });
});
