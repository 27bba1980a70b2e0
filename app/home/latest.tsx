'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import { useSentence } from '../trpc/refused.tsx';
import { Alert } from '../ui/alert.tsx';
import { Identifier } from '../ui/identifier.tsx';
import { LocalLink } from '../ui/local-link.tsx';
import { Moment } from '../ui/moment.tsx';
import { Table, TableCell, TableHead, TableRow } from '../ui/table.tsx';
import { textLink } from '../ui/text-link.ts';
import { useFunctionName, useLedgerNews } from './ledger-news.ts';
import { LedgerStatus } from './ledger-status.tsx';
import { type Entry, useOverview } from './overview.tsx';

/** The newest entries of the ledger, each moving to final under the reader's eyes. */
export function Latest() {
  const t = useTranslations('home.latest');
  const sentence = useSentence();
  const { data, failure, renderedAt } = useOverview();
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
        <Table caption={t('title')} columns={[t('what'), t('time'), t('entity'), t('status')]}>
          {data.entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} renderedAt={renderedAt} isNew={arrived.has(entry.id)} />
          ))}
        </Table>
      )}
    </>
  );
}

function EntryRow({ entry, renderedAt, isNew }: { entry: Entry; renderedAt: string; isNew: boolean }) {
  const t = useTranslations('home.latest');
  const nameOf = useFunctionName();
  return (
    <TableRow isNew={isNew}>
      <TableHead>
        <span className="flex items-baseline justify-between gap-x-4 md:block">
          <span className="block text-lg font-bold md:text-base">{nameOf(entry.function)}</span>
          <LocalLink href={`/explore/${entry.id}`} className={clsx(textLink, '-my-2 py-2 whitespace-nowrap')}>
            {t('number', { seq: entry.seq })}
          </LocalLink>
        </span>
      </TableHead>
      <TableCell label={t('time')}>
        <Moment at={entry.accepted_at} renderedAt={renderedAt} />
      </TableCell>
      <TableCell label={t('entity')} className="order-last col-span-2 -mb-2 md:order-none">
        {entry.entity_id && (
          <Identifier value={entry.entity_id} name={t('entityName')} keep={8} href={`/explore/${entry.entity_id}`} />
        )}
      </TableCell>
      <TableCell label={t('status')}>
        <LedgerStatus status={entry.status} confirmations={entry.confirmations} />
      </TableCell>
    </TableRow>
  );
}
