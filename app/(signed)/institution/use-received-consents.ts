import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { pagedReading, useWholeList } from '../../_trpc/use-whole-list.ts';

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
  /** Saves them as a file once all are read. */
  readonly save: () => void;
  readonly isSaving: boolean;
}

interface ReceivedWanted {
  readonly pages?: number;
  /** Whether all are needed, however many there are. */
  readonly isWhole?: boolean;
  readonly onSave?: (() => void) | undefined;
}

/** The consents that an institution has received, read page by page: those of the first pages, or all. */
export function useReceived(
  ieoId: string,
  { pages = MAX_PAGES, isWhole = false, onSave }: ReceivedWanted = {},
): Received {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: ['receivedConsents', 'all', ieoId],
    queryFn: ({ pageParam: cursor }) =>
      client.receivedConsents.query({ reference: ieoId, limit: MAX_PAGE_SIZE, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    ...pagedReading(EVERY_MS),
  });
  const { data, error } = query;
  const { isReading, ...list } = useWholeList(query, { atLeast: pages, isWhole, onSave });
  const consents = useMemo(() => data?.pages.flatMap(({ tokens }) => tokens) ?? null, [data]);
  const frozen = useMemo(() => new Set<string>(data?.pages.flatMap(({ locked_beos: locked }) => locked)), [data]);
  return { ...list, consents, frozen, failure: error ? failureOf(error) : null, isLoading: isReading };
}
