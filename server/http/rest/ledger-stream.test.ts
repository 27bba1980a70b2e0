import { expect, onTestFinished, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines of several shapes
type Line = any;

/** Opens a stream of real HTTP; `next` returns one line at a time, null at the end. */
async function follow(service: TestService, after = 0, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${service.url}/api/ledger/stream?after=${after}`, { headers, signal: stop.signal });
  const lines = linesOf(response);
  return {
    status: response.status,
    response,
    close: () => stop.abort(),
    async next(): Promise<Line> {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    async entries(count: number): Promise<Line[]> {
      const found: Line[] = [];
      while (found.length < count) {
        const line = await this.next();
        if (line === null) throw new Error('The stream has ended.');
        if (line.item) found.push(line);
      }
      return found;
    },
  };
}

async function* linesOf(response: Response): AsyncGenerator<Line> {
  let text = '';
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
  expect(text).toBe('');
}

async function started(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ MAX_STREAM_MS: '600000', ...env });
  onTestFinished(service.stop);
  return service;
}

async function create(service: TestService, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    ids.push((await service.post('/api/relayer/beo', person.sign('createBEO', fields))).body.transactionId);
  }
  return ids;
}

test('a stream has the signed head, the entries after the cursor, and then new ones in the same response', async () => {
  const service = await started();
  const old = await create(service, 3);
  const stream = await follow(service, 1);
  expect(stream.response.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
  const { head } = await stream.next();
  expect(head).toMatchObject({ epoch: 1, seq: 3, id: old[2], signature: expect.stringMatching(/=$/) });
  expect((await stream.entries(2)).map(({ id }) => id)).toEqual(old.slice(1));
  const later = await create(service, 2);
  const entries = await stream.entries(2);
  expect(entries.map(({ id, seq }) => [id, seq])).toEqual(later.map((id, index) => [id, 4 + index]));
  const listed = await service.get('/api/ledger/entries?after=4');
  const [{ item, id, epoch, seq }] = String(listed.body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries[1]).toMatchObject({ item, id, epoch, seq });
  stream.close();
});

test('a cursor beyond the head gets the head, by which the reader sees that the ledger is shorter', async () => {
  const service = await started({ MAX_STREAM_MS: '300' });
  await create(service, 1);
  const stream = await follow(service, 1_000);
  expect(await stream.next()).toMatchObject({ head: { seq: 1 } });
  expect(await stream.next()).toEqual({
    closed: 'maximum_duration',
    message: 'The stream has reached its maximum duration.',
  });
  expect(await stream.next()).toBeNull();
});

test('a service that stops says so in the last line of each stream', async () => {
  const service = await started();
  const [first, second] = await Promise.all([follow(service), follow(service)]);
  await Promise.all([first.next(), second.next()]);
  service.service.context.streams.stop();
  for (const stream of [first, second]) {
    expect(await stream.next()).toMatchObject({ closed: 'stopping' });
    expect(await stream.next()).toBeNull();
  }
  const late = await follow(service);
  expect([await late.next(), await late.next()]).toMatchObject([{ head: { seq: 0 } }, { closed: 'stopping' }]);
});

test('two hundred readers get the streams that are free; the others are refused and cost nothing', async () => {
  const service = await started({ MAX_STREAMS: '3' });
  const streams = await Promise.all(Array.from({ length: 200 }, () => follow(service)));
  const open = streams.filter(({ status }) => status === 200);
  expect(open).toHaveLength(3);
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(service.service.context.streams.openCount).toBe(3);
  const head = await fetch(`${service.url}/api/ledger/stream`, { method: 'HEAD' });
  expect(head.status).toBe(503);
  for (const { close } of open) close();
  await expect.poll(() => service.service.context.streams.openCount).toBe(0);
  expect((await fetch(`${service.url}/api/ledger/stream`, { method: 'HEAD' })).status).toBe(200);
  expect(service.service.context.streams.openCount).toBe(0);
  const again = await follow(service);
  expect(await again.next()).toMatchObject({ head: { seq: 0 } });
  again.close();
});

test('an address has its own limit, and is told when to come back', async () => {
  const service = await started({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  const from = (address: string) => follow(service, 0, { 'x-forwarded-for': address });
  const addresses = [...Array.from({ length: 4 }, () => '192.0.2.1'), '192.0.2.2'];
  const streams = await Promise.all(addresses.map(from));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await service.get('/api/ledger/stream', { 'x-forwarded-for': '192.0.2.1' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', details: { retry_after_seconds: 60 } } });
  expect(refused.headers.get('retry-after')).toBe('60');
  for (const { close } of streams) close();
});
