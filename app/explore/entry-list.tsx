'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import type { EntryQuery } from '../../server/http/trpc/entry-list.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { Entries, untilMoved } from '../_ui/entries.tsx';
import { Pager } from '../_ui/pager.tsx';
import { isSelective, listAddress } from './entry-address.ts';
import { useLedgerNews } from './ledger-news.ts';

const IDLE_MS = 10_000;

type EntryListProps = { query: EntryQuery; first: Settled<Answers['entries']>; renderedAt: string };

/** A page of the ledger's entries; the first one is updated as entries arrive, each until its entries are final. */
export function EntryList({ query, first, renderedAt }: EntryListProps) {
  const t = useTranslations('explore');
  const trpc = useTRPC();
  const isFirstPage = query.before === null && query.after === null;
  const { data, error, isPending } = useQuery(
    trpc.entries.queryOptions(query, {
      ...(first.data && { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
      refetchInterval: ({ state }) => untilMoved(state.data?.entries) || (isFirstPage && IDLE_MS),
    }),
  );
  const { news, arrived } = useLedgerNews(data?.entries);
  if (!data) return <Refused failure={error ? failureOf(error) : isPending ? first.failure : null} />;
  const { entries, newer, older } = data;
  const isFiltered = isSelective(query);
  return (
    <>
      <p role="status" className="sr-only">
        {news}
      </p>
      {entries.length > 0 ? (
        <Entries caption={t('latest.title')} entries={entries} arrived={arrived} withEntity />
      ) : (
        <p className="text-muted">
          {t(isFiltered ? (older === null ? 'list.none' : 'list.noneHere') : 'latest.empty')}
        </p>
      )}
      <Pager
        label={t('list.pages')}
        previous={newer === null ? null : { name: t('list.newer'), href: listAddress(query, { after: newer }) }}
        next={older === null ? null : { name: t('list.older'), href: listAddress(query, { before: older }) }}
      />
    </>
  );
}
