import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setContext } from '../../../../server/context.ts';
import { startTestService, type TestService } from '../../../../server/test-service.ts';
import type { AppRouter } from '../../../../server/trpc/router.ts';
import { failureOf } from '../../../trpc/failure.ts';
import { POST } from './route.ts';

let product: TestService;
beforeAll(async () => {
  product = await startTestService();
  setContext(product.service.context);
});
afterAll(() => product.stop());

const statuses: number[] = [];
const options = {
  url: 'http://localhost/api/trpc',
  fetch: async (address: string | URL | Request, init?: object) => {
    const response = await POST(new Request(address, init));
    statuses.push(response.status);
    return response;
  },
};

test('a body that is too large is refused in words that the pages understand', async () => {
  const body = { name: 'x'.repeat(1024 * 1024 + 4096) };
  for (const link of [httpLink<AppRouter>(options), httpBatchLink<AppRouter>(options)]) {
    const client = createTRPCClient<AppRouter>({ links: [link] });
    const refused = await client.operate.mutate({ operation: 'createBEO', body }).then(
      () => null,
      (error: unknown) => failureOf(error),
    );
    expect([refused, statuses.pop()]).toMatchObject([{ code: 'BODY_TOO_LARGE' }, 413]);
  }
});
