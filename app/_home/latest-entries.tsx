'use client';

import { useTranslations } from 'use-intl/react';
import { useSentence } from '../_trpc/refused.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Entries } from '../_ui/entries.tsx';
import { useOverview } from './home-overview.tsx';
import { useLedgerNews } from './ledger-news.ts';

/** The newest entries of the ledger (three on a phone), updated as the network confirms them. */
export function LatestEntries() {
  const t = useTranslations('home.latest');
  const sentence = useSentence();
  const { data, failure } = useOverview();
  const { news, arrived } = useLedgerNews(data?.entries ?? null);
  if (!data?.entries) {
    return (
      <Alert tone="danger" title={t('unavailable')}>
        {sentence(failure ?? { code: 'UNAVAILABLE', message: '' })}
      </Alert>
    );
  }
  return (
    <>
      <p role="status" className="sr-only">
        {news}
      </p>
      {data.entries.length === 0 ? (
        <div className="rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
          <p className="text-lg font-bold">{t('emptyTitle')}</p>
          <p className="text-muted">{t('empty')}</p>
        </div>
      ) : (
        <div className="max-md:[&_tbody>tr:nth-child(n+4)]:hidden">
          <Entries caption={t('title')} entries={data.entries} arrived={arrived} withEntity />
        </div>
      )}
    </>
  );
}
