import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import type { TokenView } from '../../../protocol/token.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/provider.tsx';

/** So many are fetched without being asked for. */
const MOST_PAGES = 100;

export interface Received {
  /** The newest first; null until the first page is there. */
  readonly consents: readonly TokenView[] | null;
  readonly failure: Failure | null;
  /** Whether more are on their way. */
  readonly isLoading: boolean;
  /** Fetches more where there are more than are fetched unasked. */
  readonly loadMore: (() => void) | null;
}

/** The consents that an institution was ever given, page after page. */
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
  const goesOn = hasNextPage && !isFetching && !isFetchNextPageError && pages < MOST_PAGES;

  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);

  const consents = useMemo(() => data?.pages.flatMap(({ tokens }) => tokens) ?? null, [data]);
  return {
    consents,
    failure: error ? failureOf(error) : null,
    isLoading: isFetching && (pages === 0 || hasNextPage),
    loadMore: hasNextPage && !goesOn && !isFetching ? () => void fetchNextPage() : null,
  };
}
