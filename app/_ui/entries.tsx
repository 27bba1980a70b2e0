'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { TOOLS_BESIDE, useChosenColumns } from './chosen-columns.tsx';
import { pageOf } from './explore-address.ts';
import { LedgerStatus } from './ledger-status.tsx';
import { LocalLink } from './local-link.tsx';
import { SubjectLink } from './subject-link.tsx';
import { Table, TableCell, TableHead, TableRow } from './table.tsx';
import { textLink } from './text-link.ts';
import { useEntryWords } from './use-entry-words.ts';
import { utcTime } from './utc-time.ts';

export type Entry = Answers['history'][number];

type EntriesProps = {
  caption: string;
  entries: readonly Entry[];
  /** Shows a column with what each entry is about. */
  withEntity?: boolean;
  /** The ids of the entries that arrived since the page was rendered. */
  arrived?: ReadonlySet<string>;
};

/** A table of entries in words, with links to their pages. */
export function Entries({ caption, entries, withEntity = false, arrived }: EntriesProps) {
  const t = useTranslations('home.latest');
  const region = regionOf(useLocale());
  const wordsOf = useEntryWords();
  const { shown, isShown, choice } = useChosenColumns('entries', [
    { key: 'entry', name: t('entry') },
    { key: 'time', name: t('time') },
    { key: 'what', name: t('what'), isFixed: true },
    ...(withEntity ? [{ key: 'entity', name: t('entity') }] : []),
    { key: 'status', name: t('status') },
  ]);
  return (
    <>
      <div className={TOOLS_BESIDE}>{choice}</div>
      <Table caption={caption} columns={shown.map(({ name }) => name)}>
        {entries.map((entry) => (
          <TableRow key={entry.id} isNew={arrived?.has(entry.id) ?? false} card="grid-cols-[8.25rem_1fr_auto]">
            <TableCell className="max-md:order-2">
              <LocalLink href={pageOf(entry.id)} className={`${textLink} -my-2 py-2 whitespace-nowrap`}>
                {t('number', { seq: entry.seq })}
              </LocalLink>
            </TableCell>
            {isShown('time') && (
              <TableCell label={t('time')} className="max-md:order-3 md:whitespace-nowrap">
                <time dateTime={entry.accepted_at} className="tabular-nums">
                  {utcTime(region, entry.accepted_at)}
                </time>
              </TableCell>
            )}
            <TableHead className="text-lg font-bold max-md:order-1 md:text-[length:inherit]">
              <span className="wrap-anywhere">{wordsOf(entry)}</span>
            </TableHead>
            {isShown('entity') && (
              <TableCell label={t('entity')} className="max-md:order-5 max-md:col-span-3">
                <SubjectLink entry={entry} />
              </TableCell>
            )}
            {isShown('status') && (
              <TableCell label={t('status')} className="max-md:order-4 max-md:col-span-2">
                <LedgerStatus status={entry.status} confirmations={entry.confirmations} />
              </TableCell>
            )}
          </TableRow>
        ))}
      </Table>
    </>
  );
}

/** The poll interval in ms; false once all entries are final. */
export const untilMoved = (entries: readonly Pick<Entry, 'status'>[] | undefined): number | false =>
  entries?.some(({ status }) => status !== 'FINAL') ? 3_000 : false;
