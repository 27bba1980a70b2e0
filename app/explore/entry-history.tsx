'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import { Entries, untilMoved } from '../_ui/entries.tsx';
import { Pager } from '../_ui/pager.tsx';
import { type FirstAnswer, HISTORY_PAGE, historyQuery } from './first-answer.ts';
import { useAddressWith } from './use-address-with.ts';

type HistoryProps = { entityId: string; first: FirstAnswer; renderedAt: string };

/** Everything on the ledger about one entity, newest first, page by page. */
export function History({ entityId, first, renderedAt }: HistoryProps) {
  const t = useTranslations('explore.history');
  const list = useTranslations('explore.list');
  const trpc = useTRPC();
  const addressWith = useAddressWith('before', 'history');
  const { history, pages } = first;
  const { data, error } = useQuery(
    trpc.history.queryOptions(historyQuery(entityId, pages), {
      ...(history?.data && { initialData: history.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
      refetchInterval: ({ state }) => untilMoved(state.data),
    }),
  );
  const entries = (data ?? []).slice(0, HISTORY_PAGE);
  const hasOlder = (data ?? []).length > HISTORY_PAGE;

  return (
    <section id="history" aria-labelledby="history-title" className="mt-14">
      <h2 id="history-title">{t('title')}</h2>
      <p className="mt-2 mb-5 max-w-prose text-muted">{t('lead')}</p>
      {entries.length > 0 && <Entries caption={t('title')} entries={entries} />}
      <Refused failure={error ? failureOf(error) : (history?.failure ?? null)} />
      <Pager
        label={t('pages')}
        previous={pages.before === null ? null : { name: list('newest'), href: addressWith(null) }}
        next={hasOlder ? { name: list('older'), href: addressWith(String(entries.at(-1)?.seq ?? '')) } : null}
      />
    </section>
  );
}
