'use client';

import { clsx } from 'clsx';
import { en } from '../messages/en.ts';
import { sentenceOf } from '../trpc/failure.ts';
import { Alert } from '../ui/alert.tsx';
import { formatNumber } from '../ui/format.ts';
import { Identifier } from '../ui/identifier.tsx';
import { Moment } from '../ui/moment.tsx';
import { Table, TableCell, TableHead, TableRow } from '../ui/table.tsx';
import { textLink } from '../ui/text-link.ts';
import { useLedgerNews } from './ledger-news.ts';
import { LedgerStatus } from './ledger-status.tsx';
import { type Entry, useOverview } from './overview.tsx';

const text = en.home.latest;

/** The newest entries of the ledger, each moving to final under the reader's eyes. */
export function Latest() {
  const { data, failure, renderedAt } = useOverview();
  const { news, arrived } = useLedgerNews(data?.entries ?? null);
  if (!data?.entries) {
    return (
      <Alert tone="danger" title={text.unavailable}>
        {failure ? sentenceOf(failure) : en.errors.UNAVAILABLE}
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
          <p className="text-lg font-bold">{text.emptyTitle}</p>
          <p className="text-muted">{text.empty}</p>
        </div>
      ) : (
        <Table caption={text.title} columns={[text.what, text.time, text.entity, text.status]}>
          {data.entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} renderedAt={renderedAt} isNew={arrived.has(entry.id)} />
          ))}
        </Table>
      )}
    </>
  );
}

function EntryRow({ entry, renderedAt, isNew }: { entry: Entry; renderedAt: string; isNew: boolean }) {
  return (
    <TableRow isNew={isNew}>
      <TableHead>
        <span className="flex items-baseline justify-between gap-x-4 md:block">
          <span className="block text-lg font-bold md:text-base">
            {en.home.ledger.function[entry.function] ?? entry.function}
          </span>
          <a href={`/api/transactions/${entry.id}`} className={clsx(textLink, '-my-2 py-2 whitespace-nowrap')}>
            {text.number(formatNumber(en.locale, entry.seq))}
          </a>
        </span>
      </TableHead>
      <TableCell label={text.time}>
        <Moment at={entry.accepted_at} renderedAt={renderedAt} />
      </TableCell>
      <TableCell label={text.entity} className="order-last col-span-2 -mb-2 md:order-none">
        {entry.entity_id && (
          <Identifier
            value={entry.entity_id}
            name={text.entityName}
            keep={8}
            href={`/?domain=${entry.entity_id}#lookup`}
          />
        )}
      </TableCell>
      <TableCell label={text.status}>
        <LedgerStatus status={entry.status} confirmations={entry.confirmations} />
      </TableCell>
    </TableRow>
  );
}
