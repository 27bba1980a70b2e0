import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';

/** The number of pages that are read automatically. */
const MAX_PAGES = 100;
const EVERY_MS = 20_000;

export interface Received {
  /** The newest first; null until the first page is read. */
  readonly consents: readonly TokenView[] | null;
  /** The ids of the people who have frozen their identity. */
  readonly frozen: ReadonlySet<string>;
  readonly failure: Failure | null;
  /** Whether more are being read. */
  readonly isLoading: boolean;
  /** Whether all of them are read. */
  readonly isComplete: boolean;
  /** Reads one more page; null without one. */
  readonly loadMore: (() => void) | null;
}

/** Whether a refresh is one request. */
const isShort = ({
  state,
}: {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}) => (state.data?.pages.length ?? 0) <= 1;

/** The consents that an institution has received, read page by page: all of them, or with `isWhole` false at least the newest. */
export function useReceived(ieoId: string, { isWhole = true } = {}): Received {
  const client = useTRPCClient();
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['receivedConsents', 'all', ieoId],
    queryFn: ({ pageParam: cursor }) =>
      client.receivedConsents.query({ reference: ieoId, limit: MAX_PAGE_SIZE, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    refetchInterval: (query) => (isShort(query) ? EVERY_MS : false),
    refetchOnMount: (query) => (isShort(query) ? 'always' : true),
    refetchOnWindowFocus: isShort,
  });
  const pages = data?.pages.length ?? 0;
  const readsNext = isWhole && hasNextPage && !isFetching && !isFetchNextPageError && pages < MAX_PAGES;

  useEffect(() => {
    if (readsNext) void fetchNextPage();
  }, [readsNext, fetchNextPage]);

  const consents = useMemo(() => data?.pages.flatMap(({ tokens }) => tokens) ?? null, [data]);
  const frozen = useMemo(() => new Set<string>(data?.pages.flatMap(({ locked_beos: locked }) => locked)), [data]);
  return {
    consents,
    frozen,
    failure: error ? failureOf(error) : null,
    isLoading: isFetching && (pages === 0 || hasNextPage),
    isComplete: pages > 0 && !hasNextPage,
    loadMore: hasNextPage && !readsNext && !isFetching ? () => void fetchNextPage() : null,
  };
}
