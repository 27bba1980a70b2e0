'use client';

import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { Button } from '../_ui/button.tsx';
import { Entries, untilMoved } from '../_ui/entries.tsx';
import { HISTORY_PAGE } from './first-answer.ts';

type HistoryProps = { entityId: string; first: Settled<Answers['history']> | null; renderedAt: string };

/** Everything on the ledger about one entity, newest first, page by page. */
export function History({ entityId, first, renderedAt }: HistoryProps) {
  const t = useTranslations('explore.history');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const [before, setBefore] = useState<readonly (number | null)[]>([null]);
  const pages = useQueries({
    queries: before.map((seq) =>
      trpc.history.queryOptions(
        { entityId, limit: HISTORY_PAGE, before: seq },
        {
          ...(seq === null && first?.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
          refetchInterval: ({ state }) => untilMoved(state.data),
        },
      ),
    ),
  });
  const entries = [...new Map(pages.flatMap(({ data }) => data ?? []).map((entry) => [entry.id, entry])).values()];
  const error = pages.find((page) => page.error)?.error;
  const last = pages.at(-1);
  const hasMore = last?.data?.length === HISTORY_PAGE;

  return (
    <section aria-labelledby="history" className="mt-14">
      <h2 id="history">{t('title')}</h2>
      <p className="mt-2 mb-5 max-w-prose text-muted">{t('lead')}</p>
      {entries.length > 0 && <Entries caption={t('title')} entries={entries} renderedAt={renderedAt} />}
      <Refused failure={error ? failureOf(error) : null} />
      {(hasMore || last?.isPending) && (
        <Button
          look="secondary"
          className="mt-5"
          disabled={last?.isPending}
          onClick={() => setBefore([...before, last?.data?.at(-1)?.seq ?? null])}
        >
          {last?.isPending ? common('loading') : common('more')}
        </Button>
      )}
    </section>
  );
}
