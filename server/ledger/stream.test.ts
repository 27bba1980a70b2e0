import { expect, test } from 'vitest';
import { createEntryStreams, type StreamParts } from './stream.ts';

const HEAD = { epoch: 1, seq: 2, id: null, at: '2026-01-01T00:00:00.000Z', signature: '' };
const parts: StreamParts = {
  latestSeq: async () => 2,
  signedHead: async () => HEAD,
  pageAfter: async (seq) => (seq < 2 ? { text: `entry ${seq + 1}\n`, last: seq + 1 } : null),
  maxMs: 600_000,
};

async function take(lines: AsyncIterable<string>, count: number): Promise<string[]> {
  const iterator = lines[Symbol.asyncIterator]();
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await iterator.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

test('a database that cannot be read ends a stream with the reason', async () => {
  let fails = false;
  const latestSeq = async () => {
    if (fails) throw new Error('the database is gone');
    return 2;
  };
  const { lines } = await createEntryStreams({ ...parts, latestSeq }).open(0);
  const iterator = lines[Symbol.asyncIterator]();
  expect([await iterator.next(), await iterator.next(), await iterator.next()].map(({ value }) => value)).toEqual([
    `${JSON.stringify({ head: HEAD })}\n`,
    'entry 1\n',
    'entry 2\n',
  ]);
  fails = true;
  expect(JSON.parse((await iterator.next()).value)).toMatchObject({ closed: 'unavailable' });
  expect((await iterator.next()).done).toBe(true);
});

test('a page that cannot be read ends the stream with the reason', async () => {
  const pageAfter = () => Promise.reject(new Error('cancelled'));
  const { lines } = await createEntryStreams({ ...parts, pageAfter }).open(0);
  expect(JSON.parse((await take(lines, 3))[1] ?? '')).toMatchObject({ closed: 'unavailable' });
});

test('a stream of a database that cannot be read at all is not opened', async () => {
  const streams = createEntryStreams({ ...parts, signedHead: () => Promise.reject(new Error('gone')) });
  await expect(streams.open(0)).rejects.toThrow('gone');
  expect(streams.openCount).toBe(0);
});

test('fifty readers of the same entries cost one read of each page', async () => {
  let reads = 0;
  const pageAfter: StreamParts['pageAfter'] = async (seq) => {
    reads += 1;
    return parts.pageAfter(seq);
  };
  const streams = createEntryStreams({ ...parts, pageAfter });
  const opened = await Promise.all(Array.from({ length: 50 }, () => streams.open(0)));
  await Promise.all(opened.map(({ lines }) => take(lines, 3)));
  expect(reads).toBe(2);
  for (const { leave } of opened) leave();
  expect(streams.openCount).toBe(0);
});

test('the lines end when the reader leaves, although there is no new entry', async () => {
  const { lines, leave } = await createEntryStreams(parts).open(2);
  const iterator = lines[Symbol.asyncIterator]();
  expect(await iterator.next()).toMatchObject({ value: `${JSON.stringify({ head: HEAD })}\n` });
  const next = iterator.next();
  leave();
  expect(await next).toMatchObject({ done: true });
});
