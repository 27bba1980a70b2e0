import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBodyQueue } from './body-queue.ts';

const KIB = 1024;
const MAX_BYTES = 1024 * KIB;

/** Bodies whose parsing ends when the test says so. */
function setup() {
  const { runQueued } = createBodyQueue(MAX_BYTES);
  const begun: string[] = [];
  const ends = new Map<string, (fail: boolean) => void>();
  const take = (name: string, address: string, bytes: number) =>
    runQueued(address, bytes, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (fail) => (fail ? reject(new Error('broken off')) : resolve(name))),
      );
    });
  async function end(name: string, fail = false): Promise<void> {
    ends.get(name)?.(fail);
    await nextTurn();
    await nextTurn();
  }
  return { begun, take, end };
}

test('bodies of one address wait for each other beyond one mebibyte, in order; those of another address do not', async () => {
  const { begun, take, end } = setup();
  const first = take('first', '192.0.2.1', MAX_BYTES);
  void take('second', '192.0.2.1', 256 * KIB);
  void take('third', '192.0.2.1', MAX_BYTES);
  void take('fourth', '192.0.2.1', 256 * KIB);
  void take('elsewhere', '192.0.2.2', MAX_BYTES);
  expect(begun).toEqual(['first', 'elsewhere']);
  await end('first');
  expect(await first).toBe('first');
  expect(begun).toEqual(['first', 'elsewhere', 'second']);
  await end('second');
  await end('third');
  expect(begun).toEqual(['first', 'elsewhere', 'second', 'third', 'fourth']);
});

test('several run together up to that size', async () => {
  const { begun, take } = setup();
  for (let index = 0; index < 5; index++) void take(String(index), '192.0.2.1', 256 * KIB);
  expect(begun).toEqual(['0', '1', '2', '3']);
});

test('an IPv6 network counts as one address', async () => {
  const { begun, take } = setup();
  void take('one', '2001:db8::1', MAX_BYTES);
  void take('other', '2001:db8::2', MAX_BYTES);
  expect(begun).toEqual(['one']);
});

test('a small body never waits', async () => {
  const { begun, take } = setup();
  void take('large', '192.0.2.1', MAX_BYTES);
  void take('waits', '192.0.2.1', MAX_BYTES);
  void take('small', '192.0.2.1', 16 * KIB);
  expect(begun).toEqual(['large', 'small']);
});

test('a failed body releases its place', async () => {
  const { begun, take, end } = setup();
  const broken = take('broken', '192.0.2.1', MAX_BYTES);
  void take('next', '192.0.2.1', MAX_BYTES);
  const outcome = expect(broken).rejects.toThrow('broken off');
  await end('broken', true);
  await outcome;
  expect(begun).toEqual(['broken', 'next']);
});
