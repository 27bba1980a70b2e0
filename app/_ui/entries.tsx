'use client';

import { clsx } from 'clsx';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { Button } from './button.tsx';
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

/** On a phone, until the rest is asked for; without scripts it is there. */
const FOLDED = 'not-tabular:hidden unscripted:not-tabular:grid';

type EntriesProps = {
  caption: string;
  entries: readonly Entry[];
  /** Shows a column with what each entry is about. */
  withEntity?: boolean;
  /** The ids of the entries that arrived since the page was rendered. */
  arrived?: ReadonlySet<string>;
};

/** Of a page's entries, a phone shows these first. */
const FIRST = 6;

/** A table of entries in words, with links to their pages. */
export function Entries({ caption, entries, withEntity = false, arrived }: EntriesProps) {
  const t = useTranslations('home.latest');
  const region = regionOf(useLocale());
  const wordsOf = useEntryWords();
  const [isWhole, setWhole] = useState(false);
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
        {entries.map((entry, index) => (
          <TableRow
            key={entry.id}
            isNew={arrived?.has(entry.id) ?? false}
            card={clsx('grid-cols-[auto_1fr_auto] gap-y-1 px-4 py-3', index >= FIRST && !isWhole && FOLDED)}
          >
            <TableCell className="max-md:order-2 max-md:text-sm">
              <LocalLink href={pageOf(entry.id)} className={`${textLink} -my-2 py-2 whitespace-nowrap`}>
                {t('number', { seq: entry.seq })}
              </LocalLink>
            </TableCell>
            {isShown('time') && (
              <TableCell className="max-md:order-3 max-md:text-sm max-md:text-muted md:whitespace-nowrap">
                <time dateTime={entry.accepted_at} className="tabular-nums">
                  {utcTime(region, entry.accepted_at)}
                </time>
              </TableCell>
            )}
            <TableHead className="font-bold max-md:order-1 max-md:col-span-3">
              <span className="wrap-anywhere">{wordsOf(entry)}</span>
            </TableHead>
            {isShown('entity') && (
              <TableCell className="max-md:order-5 max-md:col-span-3 max-md:text-sm">
                <SubjectLink entry={entry} />
              </TableCell>
            )}
            {isShown('status') && (
              <TableCell className="max-md:order-4">
                <LedgerStatus
                  status={entry.status}
                  confirmations={entry.confirmations}
                  // A phone has no room for its bar beside the time.
                  className="not-tabular:[&>svg]:hidden"
                />
              </TableCell>
            )}
          </TableRow>
        ))}
      </Table>
      {!isWhole && entries.length > FIRST && (
        <Button look="secondary" className="mt-4 w-full md:hidden unscripted:hidden" onClick={() => setWhole(true)}>
          {t('more', { count: entries.length - FIRST })}
        </Button>
      )}
    </>
  );
}

/** The poll interval in ms; false once all entries are final. */
export const untilMoved = (entries: readonly Pick<Entry, 'status'>[] | undefined): number | false =>
  entries?.some(({ status }) => status !== 'FINAL') ? 3_000 : false;
