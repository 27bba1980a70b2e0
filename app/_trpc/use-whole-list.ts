import { useEffect, useEffectEvent, useState } from 'react';
import { failureOf } from './failure.ts';

/** The members of an infinite query that are used here. */
interface PagedQuery {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

interface Wanted {
  /** The number of pages that are read without being asked for. */
  readonly atLeast?: number;
  /** Whether all are needed: a filter or an order of a part of a list would leave rows out without a sign. */
  readonly isWhole: boolean;
  /** Saves the list as a file. */
  readonly onSave?: (() => void) | undefined;
}

interface WholeList {
  readonly isComplete: boolean;
  /** Whether more pages are being read. */
  readonly isReading: boolean;
  /** Reads one more page, also after a failure; null without one. */
  readonly loadMore: (() => void) | null;
  /** Saves the list once all of it is read, also after a failure. */
  readonly save: () => void;
  /** Whether the list is being read in order to be saved. */
  readonly isSaving: boolean;
}

/** Reads a list page by page: some of it, and all of it before it is filtered, sorted or saved. */
export function useWholeList(query: PagedQuery, { atLeast = 1, isWhole, onSave }: Wanted): WholeList {
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const [isSaving, setSaving] = useState(false);
  const pages = data?.pages.length ?? 0;
  const isComplete = pages > 0 && !hasNextPage;
  const isWanted = isWhole || isSaving || pages < atLeast;
  // While a page is read again, the query still has the error of the attempt before.
  const hasFailed = query.isFetchNextPageError && !isFetching;
  const readsNext = isWanted && hasNextPage && !isFetching && !hasFailed;
  const saveNow = useEffectEvent(() => onSave?.());

  useEffect(() => {
    if (readsNext) void fetchNextPage();
  }, [readsNext, fetchNextPage]);

  useEffect(() => {
    if (!isSaving || !(isComplete || hasFailed)) return;
    setSaving(false);
    if (isComplete) saveNow();
  }, [isSaving, isComplete, hasFailed]);

  return {
    isComplete,
    isReading: isFetching && (pages === 0 || hasNextPage),
    loadMore: hasNextPage && !readsNext && !isFetching ? () => void fetchNextPage() : null,
    save: () => {
      if (hasFailed) void fetchNextPage();
      setSaving(true);
    },
    isSaving,
  };
}

interface QueryWithPages {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

/** Whether a refresh is one request. */
const isShort = ({ state }: QueryWithPages): boolean => (state.data?.pages.length ?? 0) <= 1;

const retryAfterSeconds = (error: Error): unknown => failureOf(error).details?.retry_after_seconds;

/**
 * How a list is read page by page: one that is refused for its rate waits as long as the server asks for. It is not refreshed by
 * itself once it has several pages, each of which would be read again.
 */
export const pagedReading = (everyMs: number | false) => ({
  retry: (failures: number, error: Error) => retryAfterSeconds(error) !== undefined || failures < 1,
  retryDelay: (_: number, error: Error) => Number(retryAfterSeconds(error) ?? 1) * 1_000,
  refetchInterval: (query: QueryWithPages) => (isShort(query) ? everyMs : false),
  refetchOnMount: (query: QueryWithPages) => (isShort(query) ? ('always' as const) : true),
  refetchOnWindowFocus: isShort,
});
