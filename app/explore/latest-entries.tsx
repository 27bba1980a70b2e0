'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { Entries, untilMoved } from '../_ui/entries.tsx';

const IDLE_MS = 10_000;

type LatestEntriesProps = { first: Settled<Answers['latest']>; limit: number; renderedAt: string };

/** The newest entries of the ledger, updated as the network confirms them. */
export function LatestEntries({ first, limit, renderedAt }: LatestEntriesProps) {
  const t = useTranslations('explore');
  const trpc = useTRPC();
  const { data, error, isPending } = useQuery(
    trpc.latest.queryOptions(
      { limit },
      {
        ...(first.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
        refetchInterval: ({ state }) => untilMoved(state.data) || IDLE_MS,
      },
    ),
  );
  if (!data) return <Refused failure={error ? failureOf(error) : isPending ? first.failure : null} />;
  if (data.length === 0) return <p className="text-muted">{t('latest.empty')}</p>;
  return <Entries caption={t('latest.title')} entries={data} renderedAt={renderedAt} withEntity />;
}
