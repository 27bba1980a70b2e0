import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBodyQueue } from './body-queue.ts';

const KIB = 1024;
const MAX_BYTES = 1024 * KIB;

/** A queue of bodies whose parsing ends when the test calls `end`. */
function setup() {
  const { runQueued } = createBodyQueue(MAX_BYTES);
  const started: string[] = [];
  const ends = new Map<string, (fail: boolean) => void>();
  const enqueue = (name: string, address: string, bytes: number) =>
    runQueued(address, bytes, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (fail) => (fail ? reject(new Error('broken off')) : resolve(name))),
      );
    });
  async function end(name: string, fail = false): Promise<void> {
    ends.get(name)?.(fail);
    await nextTurn();
    await nextTurn();
  }
  return { started, enqueue, end };
}

test('bodies of one address beyond 1 MiB wait for each other in order; those of another address do not wait', async () => {
  const { started, enqueue, end } = setup();
  const first = enqueue('first', '192.0.2.1', MAX_BYTES);
  void enqueue('second', '192.0.2.1', 256 * KIB);
  void enqueue('third', '192.0.2.1', MAX_BYTES);
  void enqueue('fourth', '192.0.2.1', 256 * KIB);
  void enqueue('other address', '192.0.2.2', MAX_BYTES);
  expect(started).toEqual(['first', 'other address']);
  await end('first');
  expect(await first).toBe('first');
  expect(started).toEqual(['first', 'other address', 'second']);
  await end('second');
  await end('third');
  expect(started).toEqual(['first', 'other address', 'second', 'third', 'fourth']);
});

test('several bodies up to that size are parsed concurrently', async () => {
  const { started, enqueue } = setup();
  for (let index = 0; index < 5; index++) void enqueue(String(index), '192.0.2.1', 256 * KIB);
  expect(started).toEqual(['0', '1', '2', '3']);
});

test('an IPv6 network counts as one address', async () => {
  const { started, enqueue } = setup();
  void enqueue('first', '2001:db8::1', MAX_BYTES);
  void enqueue('second', '2001:db8::2', MAX_BYTES);
  expect(started).toEqual(['first']);
});

test('the networks of an IPv6 site parse at most 4 MiB in a /56 and 16 MiB in a /48', async () => {
  const { started, enqueue, end } = setup();
  const body = (name: string, network: number) => enqueue(name, `2001:db8:0:${network.toString(16)}::1`, MAX_BYTES);
  for (let network = 0; network < 6; network++) void body(`one /56: ${network}`, network);
  expect(started).toHaveLength(4);
  for (let network = 1; network < 30; network++) void body(`one /48: ${network}`, network << 8);
  expect(started).toHaveLength(16);
  void enqueue('another /48', '2001:db8:1::1', MAX_BYTES);
  expect(started).toHaveLength(17);
  await end('one /56: 0');
  await end('one /48: 1');
  // The sixth of the first /56 still waits for it.
  expect(started.slice(17)).toEqual(['one /56: 4', 'one /48: 13']);
});

test('a body that waits for its address does not delay others of its network', async () => {
  const { started, enqueue } = setup();
  void enqueue('first', '2001:db8:0:1::1', MAX_BYTES);
  void enqueue('same /64', '2001:db8:0:1::2', MAX_BYTES);
  void enqueue('other /64', '2001:db8:0:2::1', MAX_BYTES);
  expect(started).toEqual(['first', 'other /64']);
});

test('a small body does not wait', async () => {
  const { started, enqueue } = setup();
  void enqueue('large', '192.0.2.1', MAX_BYTES);
  void enqueue('waiting', '192.0.2.1', MAX_BYTES);
  void enqueue('small', '192.0.2.1', 16 * KIB);
  expect(started).toEqual(['large', 'small']);
});

test('a failed body lets the next start', async () => {
  const { started, enqueue, end } = setup();
  const broken = enqueue('broken', '192.0.2.1', MAX_BYTES);
  void enqueue('next', '192.0.2.1', MAX_BYTES);
  const outcome = expect(broken).rejects.toThrow('broken off');
  await end('broken', true);
  await outcome;
  expect(started).toEqual(['broken', 'next']);
});
