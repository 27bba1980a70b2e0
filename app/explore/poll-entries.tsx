'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { failureOf } from '../_trpc/failure.ts';
import { Queries, useTRPC } from '../_trpc/query-provider.tsx';
import { untilMoved } from '../_ui/entries.tsx';
import type { EntryListProps, ReadEntries } from './entry-list.tsx';

const IDLE_MS = 10_000;

type PollEntriesProps = EntryListProps & { onRead: (read: ReadEntries) => void };

/** Reads a page of entries again: the first one as entries arrive, each until its entries are final. Shows nothing. */
export function PollEntries(props: PollEntriesProps) {
  return (
    <Queries>
      <Poll {...props} />
    </Queries>
  );
}

function Poll({ query, first, renderedAt, onRead }: PollEntriesProps): null {
  const trpc = useTRPC();
  const isFirstPage = query.before === null && query.after === null;
  const { data, error } = useQuery(
    trpc.entries.queryOptions(query, {
      ...(first.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
      refetchInterval: ({ state }) => untilMoved(state.data?.entries) || (isFirstPage && IDLE_MS),
    }),
  );
  useEffect(() => {
    if (data) onRead({ data });
    else if (error) onRead({ failure: failureOf(error) });
  }, [data, error, onRead]);
  return null;
}
