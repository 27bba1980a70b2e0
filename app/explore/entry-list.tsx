'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { EntryQuery } from '../../server/http/trpc/entry-list.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { Refused } from '../_trpc/refused.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { Entries } from '../_ui/entries.tsx';
import { Pager } from '../_ui/pager.tsx';
import { useLoaded } from '../_ui/use-loaded.ts';
import { isSelective, listAddress } from './entry-address.ts';
import { useLedgerNews } from './ledger-news.ts';

export type ReadEntries = Settled<Answers['entries']>;

export type EntryListProps = { query: EntryQuery; first: ReadEntries; renderedAt: string };

const loadPoll = async () => (await import('./poll-entries.tsx')).PollEntries;

/** A page of the ledger's entries, as the server read it; what reads it again is loaded later. */
export function EntryList(props: EntryListProps) {
  const [read, setRead] = useState(props.first);
  const Poll = useLoaded(loadPoll);
  return (
    <>
      {Poll && <Poll {...props} onRead={setRead} />}
      <Shown query={props.query} read={read} />
    </>
  );
}

function Shown({ query, read: { data, failure } }: { query: EntryQuery; read: ReadEntries }) {
  const t = useTranslations('explore');
  const { news, arrived } = useLedgerNews(data?.entries);
  if (!data) return <Refused failure={failure} />;
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
