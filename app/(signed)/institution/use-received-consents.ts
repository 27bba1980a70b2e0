import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/provider.tsx';

/** The number of pages that are read automatically. */
const MAX_PAGES = 100;

export interface Received {
  /** The newest first; null until the first page is read. */
  readonly consents: readonly TokenView[] | null;
  readonly failure: Failure | null;
  /** Whether more are being read. */
  readonly isLoading: boolean;
  /** Reads one more page; null without one. */
  readonly loadMore: (() => void) | null;
}

/** All consents that an institution has received; read page by page. */
export function useReceived(ieoId: string): Received {
  const client = useTRPCClient();
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['receivedConsents', 'all', ieoId],
    queryFn: ({ pageParam: cursor }) =>
      client.receivedConsents.query({ reference: ieoId, limit: MAX_PAGE_SIZE, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  const pages = data?.pages.length ?? 0;
  const readsNext = hasNextPage && !isFetching && !isFetchNextPageError && pages < MAX_PAGES;

  useEffect(() => {
    if (readsNext) void fetchNextPage();
  }, [readsNext, fetchNextPage]);

  const consents = useMemo(() => data?.pages.flatMap(({ tokens }) => tokens) ?? null, [data]);
  return {
    consents,
    failure: error ? failureOf(error) : null,
    isLoading: isFetching && (pages === 0 || hasNextPage),
    loadMore: hasNextPage && !readsNext && !isFetching ? () => void fetchNextPage() : null,
  };
}
