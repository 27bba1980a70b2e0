'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf, pageOfEntity } from './explore-address.ts';
import { Identifier } from './identifier.tsx';
import { LedgerStatus } from './ledger-status.tsx';
import { LocalLink } from './local-link.tsx';
import { Moment } from './moment.tsx';
import { useOperationLabel } from './operation-label.ts';
import { Table, TableCell, TableHead, TableRow } from './table.tsx';
import { textLink } from './text-link.ts';

export type Entry = Answers['latest'][number];

type EntriesProps = {
  caption: string;
  entries: readonly Entry[];
  renderedAt: string;
  /** Shows a column with the entity of each entry. */
  withEntity?: boolean;
  /** The ids of the entries that arrived since the page was rendered. */
  arrived?: ReadonlySet<string>;
};

/** A table of entries with links to their pages. */
export function Entries({ caption, entries, renderedAt, withEntity = false, arrived }: EntriesProps) {
  const t = useTranslations('home.latest');
  const labelOf = useOperationLabel();
  const columns = [t('what'), t('time'), ...(withEntity ? [t('entity')] : []), t('status')];
  return (
    <Table caption={caption} columns={columns}>
      {entries.map((entry) => (
        <TableRow key={entry.id} isNew={arrived?.has(entry.id) ?? false}>
          <TableHead>
            <span className="flex items-baseline justify-between gap-x-4 md:block">
              <span className="block text-lg font-bold md:text-base">{labelOf(entry.function)}</span>
              <LocalLink href={pageOf(entry.id)} className={clsx(textLink, '-my-2 py-2 whitespace-nowrap')}>
                {t('number', { seq: entry.seq })}
              </LocalLink>
            </span>
          </TableHead>
          <TableCell label={t('time')}>
            <Moment at={entry.accepted_at} renderedAt={renderedAt} />
          </TableCell>
          {withEntity && (
            <TableCell label={t('entity')} className="order-last col-span-2 -mb-2 md:order-none">
              <Identifier value={entry.entity_id} what="id" keep={8} href={pageOfEntity(entry)} />
            </TableCell>
          )}
          <TableCell label={t('status')}>
            <LedgerStatus status={entry.status} confirmations={entry.confirmations} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  );
}

/** The poll interval in ms; false once all entries are final. */
export const untilMoved = (entries: readonly Pick<Entry, 'status'>[] | undefined): number | false =>
  entries?.some(({ status }) => status !== 'FINAL') ? 3_000 : false;
