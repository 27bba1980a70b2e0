'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import type { Settled } from '../_trpc/settled.ts';

export type OverviewData = Answers['overview'];
export type Entry = NonNullable<OverviewData['entries']>[number];

interface Overview {
  readonly data: OverviewData | undefined;
  readonly failure: Failure | undefined;
  /** ISO 8601: when the server rendered the page. */
  readonly renderedAt: string;
  /** Milliseconds: when `data` was read. */
  readonly readAt: number;
}

const OverviewContext = createContext<Overview | null>(null);

const IDLE_MS = 5_000;
const MOVING_MS = 3_000;
const REFUSED_MS = 20_000;

type OverviewProviderProps = { first: Settled<OverviewData>; renderedAt: string; children: ReactNode };

/** Starts with what the server rendered, then polls; faster while an entry is not final. */
export function OverviewProvider({ first, renderedAt, children }: OverviewProviderProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.overview.queryOptions(undefined, {
      ...(first.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
      refetchInterval: ({ state }) => {
        if (state.error && failureOf(state.error).code === 'RATE_LIMITED') return REFUSED_MS;
        return state.data?.entries?.some(({ status }) => status !== 'FINAL') ? MOVING_MS : IDLE_MS;
      },
    }),
  );
  const failure = query.error ? failureOf(query.error) : query.isPending ? first.failure : undefined;
  return (
    <OverviewContext value={{ data: query.data, failure, renderedAt, readAt: query.dataUpdatedAt }}>
      {children}
    </OverviewContext>
  );
}

/** The polled data of the home page. Only below an OverviewProvider. */
export function useOverview(): Overview {
  const overview = use(OverviewContext);
  if (!overview) throw new Error('useOverview needs an OverviewProvider above it.');
  return overview;
}
