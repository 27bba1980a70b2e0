'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC, useTRPCClient } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { useListFile } from '../../_trpc/use-list-file.ts';
import { TOOLS_BESIDE, useChosenColumns } from '../../_ui/chosen-columns.tsx';
import { LedgerStatus } from '../../_ui/ledger-status.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Moment } from '../../_ui/moment.tsx';
import { SaveCsv } from '../../_ui/save-csv.tsx';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { Table, TableCell, TableHead, TableRow } from '../../_ui/table.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useEntryWords } from '../../_ui/use-entry-words.ts';

const LATEST = 5;
const EVERY_MS = 5_000;

/** The latest entries of the ledger about an institution. */
export function LatestEntries({ id, renderedAt }: { id: string; renderedAt: string }) {
  const t = useTranslations('institution.overview');
  const trpc = useTRPC();
  const wordsOf = useEntryWords();
  const { data, error } = useQuery(
    trpc.history.queryOptions({ entityId: id, limit: LATEST }, { refetchInterval: EVERY_MS }),
  );
  const { shown, isShown, choice } = useChosenColumns('latest-entries', [
    { key: 'what', name: t('what') },
    { key: 'when', name: t('when') },
    { key: 'status', name: t('status') },
  ]);
  const client = useTRPCClient();
  const file = useListFile({
    name: 'perpetua-entries.csv',
    key: `history ${id}`,
    read: (before: number | null) => client.history.query({ entityId: id, limit: MAX_PAGE_SIZE, before }),
    next: (page) => (page.length === MAX_PAGE_SIZE ? (page.at(-1)?.seq ?? null) : null),
    async csv(pages) {
      const { CSV_HEAD, csvRows } = await import('../../_ui/entries-csv.ts');
      return CSV_HEAD + csvRows(pages.flat(), wordsOf);
    },
  });
  return (
    <section className="space-y-3">
      <h2>{t('history')}</h2>
      {error && !data && <Refused failure={failureOf(error)} />}
      {!error && !data && <TableSkeleton rows={LATEST} />}
      {data?.length === 0 && <p className="text-muted">{t('noHistory')}</p>}
      {data && data.length > 0 && (
        <>
          <div className={TOOLS_BESIDE}>
            <SaveCsv onSave={file.save} busy={file.busy} />
            {choice}
          </div>
          <Refused failure={file.failure} />
          <Table caption={t('history')} columns={shown.map(({ name }) => name)}>
            {data.map((entry) => (
              <TableRow key={entry.id}>
                <TableHead>
                  <span className="block font-bold">{wordsOf(entry)}</span>
                  <LocalLink href={`/explore/${entry.id}`} className={textLink}>
                    {t('entry', { seq: entry.seq })}
                  </LocalLink>
                </TableHead>
                {isShown('when') && (
                  <TableCell label={t('when')}>
                    <Moment at={entry.accepted_at} renderedAt={renderedAt} />
                  </TableCell>
                )}
                {isShown('status') && (
                  <TableCell label={t('status')}>
                    <LedgerStatus status={entry.status} confirmations={entry.confirmations} />
                  </TableCell>
                )}
              </TableRow>
            ))}
          </Table>
        </>
      )}
      <p>
        <LocalLink href={`/explore/${id}`} className={textLink}>
          {t('seeAll')}
        </LocalLink>
      </p>
    </section>
  );
}
