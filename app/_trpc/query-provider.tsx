'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '../../server/http/trpc/router.ts';
import { timedFetch } from './clock.ts';

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

const MAX_BATCH = 10;
const FRESH_MS = 2_000;
const URL = '/api/trpc';

/** Provides tRPC queries. They pause while the tab is hidden. */
export function Queries({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: FRESH_MS, retry: 1, networkMode: 'always' } } }),
  );
  const [trpcClient] = useState(newClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

const timed = (address: string | URL | Request, options?: object) => timedFetch(address, options);

/** Reads are batched; a write is sent alone, with the institute's key where its context has one. */
const newClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'query',
        true: httpBatchLink({ url: URL, maxItems: MAX_BATCH, fetch: timed }),
        false: httpLink({
          url: URL,
          fetch: timed,
          headers: ({ op }) =>
            typeof op.context.instituteKey === 'string' ? { 'x-institute-key': op.context.instituteKey } : {},
        }),
      }),
    ],
  });
