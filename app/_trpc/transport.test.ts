import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppRouter } from '../../server/http/trpc/router.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import { failureOf } from './failure.ts';
import { pagedReading } from './use-whole-list.ts';

let product: TestService;
const statuses: number[] = [];
beforeAll(async () => {
  product = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
});
afterAll(() => product.stop());

/** The two links that pages use. */
const links = (address: string) => {
  const options = {
    url: `${product.url}/api/trpc`,
    headers: { 'x-forwarded-for': address },
    fetch: async (target: string | URL | Request, init?: object) => {
      const response = await fetch(target, init);
      statuses.push(response.status);
      return response;
    },
  };
  return [httpLink<AppRouter>(options), httpBatchLink<AppRouter>(options)];
};

const failureIn = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => failureOf(error),
  );

test('a body that is too large fails with BODY_TOO_LARGE', async () => {
  const body = { name: 'x'.repeat(1024 * 1024 + 4096) };
  for (const link of links('192.0.2.1')) {
    const client = createTRPCClient<AppRouter>({ links: [link] });
    const failure = await failureIn(client.operate.mutate({ function: 'createBEO', body }));
    expect([failure, statuses.pop()]).toMatchObject([{ code: 'BODY_TOO_LARGE' }, 413]);
  }
});

test('a rate-limited batch fails with RATE_LIMITED for every call', async () => {
  for (const [index, link] of links('192.0.2.2').entries()) {
    const client = createTRPCClient<AppRouter>({ links: [link] });
    for (let calls = 0; index === 0 && calls < 300; calls++) await client.proposals.query({});
    const failures = await Promise.all([failureIn(client.proposals.query({})), failureIn(client.overview.query())]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after_seconds: expect.any(Number) } });
    }
    expect(statuses.pop()).toBe(429);
  }
});

test('a list waits as long as a 429 asks and continues; another failure is repeated once', async () => {
  const { retry, retryDelay } = pagedReading(false);
  const [link] = links('192.0.2.2');
  const client = createTRPCClient<AppRouter>({ links: link ? [link] : [] });
  const refused = await client.proposals.query({}).then(
    () => new Error('The request was answered.'),
    (error: Error) => error,
  );
  const seconds = failureOf(refused).details?.retry_after_seconds;
  expect(seconds).toBeGreaterThan(0);
  expect([retry(0, refused), retry(9, refused), retryDelay(9, refused)]).toEqual([true, true, Number(seconds) * 1_000]);
  const unreachable = new TypeError('fetch failed');
  expect([retry(0, unreachable), retry(1, unreachable), retryDelay(0, unreachable)]).toEqual([true, false, 1_000]);
});
