import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher } from './statement-batch.ts';

/** A load function whose calls the test resolves. */
function controlled() {
  const calls: { keys: readonly string[]; succeed(): void; fail(error: Error): void }[] = [];
  const load = (keys: readonly string[]) =>
    new Promise<Map<string, string>>((resolve, reject) => {
      const known = keys.filter((key) => !key.startsWith('unknown'));
      calls.push({ keys, succeed: () => resolve(new Map(known.map((key) => [key, `value of ${key}`]))), fail: reject });
    });
  return { calls, load };
}

test('keys read in one turn of the event loop are loaded together, each once', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load);
  const values = Promise.all([read('a'), read('b'), read('a'), read('unknown')]);
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b', 'unknown']]);
  calls[0]?.succeed();
  expect(await values).toEqual(['value of a', 'value of b', 'value of a', undefined]);
});

test('a key read while the maximum of queries is in flight waits for the next query and never gets an older value', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load, { maxInFlight: 2 });
  const first = read('a');
  await turn();
  const second = read('a');
  await turn();
  const later = [read('a'), read('b')];
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  calls[1]?.succeed();
  expect(await second).toBe('value of a');
  await turn();
  expect(calls[2]?.keys).toEqual(['a', 'b']);
  calls[2]?.succeed();
  expect(await Promise.all(later)).toEqual(['value of a', 'value of b']);
  calls[0]?.succeed();
  expect(await first).toBe('value of a');
});

test('no query has more than the maximum of keys, and every key is loaded', async () => {
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

test('a failed query rejects only the reads of its keys', async () => {
  const { calls, load } = controlled();
  const read = createBatcher(load, { maxInFlight: 1 });
  const failing = Promise.allSettled([read('a'), read('b')]);
  await turn();
  const later = read('c');
  calls[0]?.fail(new Error('no response'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  calls[1]?.succeed();
  expect(await later).toBe('value of c');
});
