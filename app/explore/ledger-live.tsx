'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { failureOf } from '../_trpc/failure.ts';
import { Queries, useTRPC } from '../_trpc/query-provider.tsx';
import { useSentence } from '../_trpc/refused.tsx';
import { EntryCounts } from './entry-counts.tsx';
import type { LedgerNowProps } from './ledger-now.tsx';
import { Network } from './network.tsx';

const IDLE_MS = 5_000;
const MOVING_MS = 3_000;
const REFUSED_MS = 20_000;

/** Counts and network, polled; faster while an entry is not final. In the browser only. */
export function LedgerLive(props: LedgerNowProps) {
  return (
    <Queries>
      <Parts {...props} />
    </Queries>
  );
}

function Parts({ first, renderedAt, testNetwork }: LedgerNowProps) {
  const trpc = useTRPC();
  const t = useTranslations('explore');
  const region = regionOf(useLocale());
  const sentence = useSentence();
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
  const words = { t, region };
  return (
    <>
      <EntryCounts {...words} state={data} />
      <Network
        {...words}
        state={data}
        failure={failure && sentence(failure)}
        readAt={dataUpdatedAt}
        testNetwork={testNetwork}
      />
    </>
  );
}
