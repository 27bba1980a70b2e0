'use client';

import { useQuery } from '@tanstack/react-query';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { EntryCounts } from './entry-counts.tsx';
import { Network } from './network.tsx';

export type LedgerState = Answers['overview'];

const IDLE_MS = 5_000;
const MOVING_MS = 3_000;
const REFUSED_MS = 20_000;

type LedgerNowProps = { first: Settled<LedgerState>; renderedAt: string; testNetwork: boolean };

/** The ledger in numbers and the state of the network: first what the server rendered, then polled; faster while an entry is not final. */
export function LedgerNow({ first, renderedAt, testNetwork }: LedgerNowProps) {
  const trpc = useTRPC();
  const { data, error, isPending, dataUpdatedAt } = useQuery(
    trpc.overview.queryOptions(undefined, {
      ...(first.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
      refetchInterval: ({ state: { data, error } }) => {
        if (error && failureOf(error).code === 'RATE_LIMITED') return REFUSED_MS;
        const isMoving = data?.ledger && data.ledger.entries_final < data.ledger.head.seq;
        return isMoving ? MOVING_MS : IDLE_MS;
      },
    }),
  );
  const failure = error ? failureOf(error) : isPending ? first.failure : undefined;
  return (
    <div className="page grid gap-x-16 gap-y-10 pb-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <EntryCounts state={data} />
      <Network state={data} failure={failure} readAt={dataUpdatedAt} testNetwork={testNetwork} />
    </div>
  );
}
