import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../server/testing/test-service.ts';
import { badGateway, type Misbehaviour } from './test-bad-gateway.ts';
import { newHolder, settle } from './test-operator.ts';
import { builtWorker } from './test-worker.ts';
import { verify } from './verify.ts';

/** A service with a ledger of one entry, behind a misbehaving server. */
async function verifiedThrough(misbehaviour: (served: object) => Misbehaviour) {
  const product = await startTestService();
  onTestFinished(product.stop);
  await newHolder(product.service);
  await settle(product.databaseUrl);
  const { body } = await product.get('/api/ledger');
  const service = await badGateway(misbehaviour(body), product.url);
  const lines: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const step of steps.reverse()) await step();
  });
  const verdict = verify(
    { api: service.url, allowPrivate: true },
    {
      env: {},
      progress: { at: () => undefined, end: () => undefined },
      print: (line) => lines.push(line),
      note: (line) => lines.push(line),
      addStep: (_, step) => steps.push(step),
      workerFile: await builtWorker('check.worker'),
    },
  );
  return { verdict, lines, service };
}

const NOISE = Buffer.alloc(200).toString('base64');

/** A service whose head is `seq`, and whose entries up to there are unsigned. */
const endingAt =
  (seq: number, count: (limit: number) => number = (limit) => limit) =>
  (served: object): Misbehaviour =>
  ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const head = { ...(served as { head: object }).head, seq };
    if (pathname === '/api/ledger') return Boolean(response.end(JSON.stringify({ ...served, head })));
    if (pathname !== '/api/ledger/entries') return false;
    const after = Number(searchParams.get('after'));
    const lines = Array.from({ length: count(Number(searchParams.get('limit'))) }, (_, index) =>
      JSON.stringify({ id: 'x'.repeat(43), seq: after + index + 1, item: NOISE }),
    );
    response.end(lines.join('\n'));
    return true;
  };

describe('a service that sends endless entries', () => {
  test('is read once if they do not continue the chain', async () => {
    const { verdict, lines, service } = await verifiedThrough(endingAt(1_000_000));
    expect(await verdict).toBe('breach');
    expect(lines.join('\n')).toContain('HEAD: The service’s head is entry 1000000');
    expect(service.asked.filter((path) => path.startsWith('/api/ledger/entries'))).toHaveLength(1);
  });

  test('is not read if its head is implausibly far ahead of the network', async () => {
    const { verdict, service } = await verifiedThrough(endingAt(Number.MAX_SAFE_INTEGER));
    await expect(verdict).rejects.toThrow('entries that are not on the network; at most 2000000 are read');
    expect(service.asked.filter((path) => path.startsWith('/api/ledger/entries'))).toEqual([]);
  });

  test('fails the verification if it returns more entries than requested', async () => {
    const { verdict } = await verifiedThrough(endingAt(1_000, (limit) => limit + 1));
    await expect(verdict).rejects.toThrow('returns more entries than requested');
  });
});

test.each<[string, object]>([
  ['an address that is not HTTP', { network: { gateway_url: 'file:///etc/passwd' } }],
  [
    'a head without a valid time',
    { head: { epoch: 1, seq: 1, id: 'x'.repeat(43), at: 'now\u001b[2J', signature: '' } },
  ],
  [
    'a head with an invalid id',
    { head: { epoch: 1, seq: 1, id: '\u202e', at: '2026-01-31T12:00:00Z', signature: '' } },
  ],
])('a service that returns %s is not read further', async (_, change) => {
  const { verdict } = await verifiedThrough((served) => ({ url = '' }, response) => {
    return url === '/api/ledger' && Boolean(response.end(JSON.stringify({ ...served, ...change })));
  });
  await expect(verdict).rejects.toThrow('does not follow protocol §4');
});
