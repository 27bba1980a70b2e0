'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf } from './explore-address.ts';
import { LedgerStatus } from './ledger-status.tsx';
import { LocalLink } from './local-link.tsx';
import { Moment } from './moment.tsx';
import { useOperationLabel } from './operation-label.ts';
import { type NamedEntry, SubjectLink } from './subject-link.tsx';
import { Table, TableCell, TableHead, TableRow } from './table.tsx';
import { textLink } from './text-link.ts';

export type Entry = Answers['history'][number];

type EntriesProps = {
  caption: string;
  renderedAt: string;
  /** The ids of the entries that arrived since the page was rendered. */
  arrived?: ReadonlySet<string>;
} & (
  | { withEntity?: false; entries: readonly Entry[] }
  /** Shows a column with what each entry is about. */
  | { withEntity: true; entries: readonly NamedEntry[] }
);

/** A table of entries with links to their pages. */
export function Entries({ caption, renderedAt, arrived, ...list }: EntriesProps) {
  const t = useTranslations('home.latest');
  const labelOf = useOperationLabel();
  const columns = [t('what'), t('time'), ...(list.withEntity ? [t('entity')] : []), t('status')];
  return (
    <Table caption={caption} columns={columns}>
      {list.entries.map((entry) => (
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
          {'subject' in entry && (
            <TableCell label={t('entity')} className="order-last col-span-2 md:order-none">
              <SubjectLink entry={entry} />
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
