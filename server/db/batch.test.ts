import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher } from './batch.ts';

/** A load that is answered when the test says so. */
function controlled() {
  const calls: { keys: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const load = (keys: readonly string[]) =>
    new Promise<Map<string, string>>((resolve, reject) => {
      const known = keys.filter((key) => !key.startsWith('unknown'));
      calls.push({ keys, answer: () => resolve(new Map(known.map((key) => [key, `value of ${key}`]))), fail: reject });
    });
  return { calls, load };
}

test('what is asked in one turn goes together, each question once, each asker answered', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load);
  const answers = Promise.all([read('a'), read('b'), read('a'), read('unknown')]);
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b', 'unknown']]);
  calls[0]?.answer();
  expect(await answers).toEqual(['value of a', 'value of b', 'value of a', undefined]);
});

test('what is asked while queries are under way waits for one of them, and never takes an older answer', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load, { maxInFlight: 2 });
  const first = read('a');
  await turn();
  const second = read('a');
  await turn();
  const third = [read('a'), read('b')];
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  calls[1]?.answer();
  expect(await second).toBe('value of a');
  await turn();
  expect(calls[2]?.keys).toEqual(['a', 'b']);
  calls[2]?.answer();
  expect(await Promise.all(third)).toEqual(['value of a', 'value of b']);
  calls[0]?.answer();
  expect(await first).toBe('value of a');
});

test('no query carries more keys than its bound, and nobody is forgotten', async () => {
  const sizes: number[] = [];
  const read = createBatcher(
    async (keys) => {
      sizes.push(keys.length);
      await turn();
      return new Map(keys.map((key) => [key, key]));
    },
    { maxKeys: 10 },
  );
  const keys = Array.from({ length: 95 }, (_, index) => `key ${index}`);
  expect(await Promise.all(keys.map(read))).toEqual(keys);
  expect(Math.max(...sizes)).toBe(10);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(95);
});

test('a query that fails fails those who asked it and nobody else', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load, { maxInFlight: 1 });
  const failing = Promise.allSettled([read('a'), read('b')]);
  await turn();
  const later = read('c');
  calls[0]?.fail(new Error('no answer'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  calls[1]?.answer();
  expect(await later).toBe('value of c');
});
