'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo } from 'react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { MAX_PAGE_SIZE } from '../../../../protocol/page.ts';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPC, useTRPCClient } from '../../../_trpc/query-provider.tsx';

export interface Consents {
  /** The consents read so far, the newest first. */
  readonly consents: readonly TokenView[];
  /** The number of all consents; null until it is read. */
  readonly total: number | null;
  /** Whether all of them are read. */
  readonly complete: boolean;
  readonly failure: Failure | null;
  retry(): void;
}

/** All consents of a holder, once the id is known. Pages are read in the background; those that arrived can be used at once. */
export function useConsents(beoId: string | undefined): Consents {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const reference = beoId ?? '';
  const {
    data: latest,
    error,
    hasNextPage,
    isFetching,
    fetchNextPage,
    refetch,
  } = useInfiniteQuery({
    queryKey: trpc.consents.infiniteQueryKey({ reference, limit: MAX_PAGE_SIZE }),
    queryFn: ({ pageParam: cursor, signal }) =>
      client.consents.query({ reference, limit: MAX_PAGE_SIZE, cursor: cursor || null }, { signal }),
    enabled: beoId !== undefined,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Not thousands of consents each time that the window gets the focus.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
  });

  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);

  // A transition keeps the page responsive.
  const data = useDeferredValue(latest);
  const consents = useMemo(() => newestOfEach(data?.pages.flatMap(({ tokens }) => tokens) ?? []), [data]);
  return {
    consents,
    total: data?.pages[0]?.count ?? null,
    complete: data !== undefined && data === latest && !hasNextPage,
    failure: error ? failureOf(error) : null,
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}

/** Pages that were read at different moments may overlap. */
const newestOfEach = (tokens: readonly TokenView[]): TokenView[] => {
  const byId = new Map<string, TokenView>();
  for (const token of tokens) if (!byId.has(token.token_id)) byId.set(token.token_id, token);
  return [...byId.values()];
};
