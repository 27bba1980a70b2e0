'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { csvTable } from '../../../protocol/records/csv-cell.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { useFormats } from '../../_i18n/use-formats.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { pagedReading, useWholeList } from '../../_trpc/use-whole-list.ts';
import { type DataColumn, DataTable, useTableAhead } from '../../_ui/data-table.tsx';
import { ListExtent, MoreOf } from '../../_ui/list-extent.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { saveFile } from '../../_ui/save-file.ts';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { useSortChoice, useSorting } from '../../_ui/sorting.ts';
import { textLink } from '../../_ui/text-link.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { useEntryWords } from '../../_ui/use-entry-words.ts';
import { NothingYet } from './nothing-yet.tsx';

type Entry = Answers['decisions']['entries'][number];

/** The decisions of the institute, as they are on the ledger: certifications, proposals and their approvals, newest first. */
export function DecisionLog() {
  const t = useTranslations('institute.log');
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: ['decisions'],
    queryFn: ({ pageParam: before }) => client.decisions.query({ before }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ older }) => older,
    ...pagedReading(false),
  });
  const { data, error } = query;
  const order = useSortChoice();
  useTableAhead();
  const list = useWholeList(query, {
    isWhole: order.sort !== null,
    onSave: () => saveFile('perpetua-decisions.csv', 'text/csv', decisionsCsv(sorting.rows)),
  });
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? [], [data]);
  const columns = useColumns();
  const sorting = useSorting(entries, columns, order);
  if (!data) return error ? <Refused failure={failureOf(error)} /> : <TableSkeleton rows={8} />;
  return (
    <div className="space-y-4">
      {entries.length === 0 && list.isComplete && (
        <NothingYet icon={ScrollText} title={t('none')}>
          {t('noneWhat')}
        </NothingYet>
      )}
      {entries.length > 0 && (
        <div className="wide space-y-4">
          <ListExtent list={list} shown={entries.length} read={entries.length} />
          <DataTable
            caption={t('title')}
            columns={columns}
            sorting={sorting}
            keyOf={({ id }) => id}
            kept="decisions"
            onSave={list.save}
            isSaving={list.isSaving}
            wraps
          />
        </div>
      )}
      <Refused failure={error && failureOf(error)} />
      <MoreOf list={list} />
    </div>
  );
}

function useColumns(): readonly DataColumn<Entry>[] {
  const t = useTranslations('institute.log');
  const format = useFormats();
  const dates = useDates();
  const wordsOf = useEntryWords();
  return [
    {
      key: 'what',
      name: t('decision'),
      width: 'minmax(0,1.4fr)',
      sortBy: wordsOf,
      cell: wordsOf,
    },
    {
      key: 'institution',
      name: t('institution'),
      width: 'minmax(0,1.4fr)',
      sortBy: ({ subject }) => subject?.domain ?? null,
      cell: ({ subject }) => subject?.domain && <span className="wrap-anywhere">{subject.domain}</span>,
    },
    {
      key: 'when',
      name: t('when'),
      width: 'minmax(9.25rem,1fr)',
      sortBy: ({ seq }) => seq,
      cell: ({ accepted_at: at }) => <time dateTime={at}>{dates.moment(at)}</time>,
    },
    {
      key: 'entry',
      name: t('entry'),
      width: '5rem',
      cell: ({ id, seq }) => (
        <LocalLink href={`/explore/${id}`} className={`${textLink} inline-flex min-h-11 items-center tabular-nums`}>
          {format.number(seq)}
        </LocalLink>
      ),
    },
  ];
}

/** For spreadsheets. */
const decisionsCsv = (entries: readonly Entry[]): string =>
  csvTable(
    ['accepted_at', 'function', 'domain', 'entry', 'id'],
    entries.map(({ accepted_at, function: name, subject, seq, id }) => [
      accepted_at,
      name,
      subject?.domain ?? null,
      seq,
      id,
    ]),
  );
