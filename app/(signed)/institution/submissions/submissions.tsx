'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { folded } from '../../../../protocol/folded-text.ts';
import { MAX_PAGE_SIZE } from '../../../../protocol/page.ts';
import type { Answers } from '../../../../server/http/trpc/router.ts';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { useInstitution } from '../../../_session/current.tsx';
import { failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { pagedReading, useWholeList } from '../../../_trpc/use-whole-list.ts';
import { type DataColumn, DataTable, useTableAhead } from '../../../_ui/data-table.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { LedgerStatus } from '../../../_ui/ledger-status.tsx';
import { ListExtent, MoreOf } from '../../../_ui/list-extent.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { SearchField } from '../../../_ui/search-field.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useSortChoice, useSorting } from '../../../_ui/sorting.ts';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { zoneName } from '../../../_ui/zone.ts';
import { useReferences } from '../references.ts';
import { useUnfinished } from '../use-unfinished.ts';

export type Submission = Answers['submissions'][number];

const UnfinishedList = deferred(async () => (await import('./unfinished-list.tsx')).UnfinishedList);

const POLL_MS = 20_000;

/** The submissions of the institution, as the public ledger shows them. */
export function Submissions() {
  const t = useTranslations('institution.submissions');
  const { view } = useInstitution();
  const client = useTRPCClient();
  const { references } = useReferences(view.ieo_id);
  const query = useInfiniteQuery({
    queryKey: ['submissions', view.ieo_id],
    queryFn: ({ pageParam: before }) =>
      client.submissions.query({ reference: view.ieo_id, limit: MAX_PAGE_SIZE, before: before ?? undefined }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length === MAX_PAGE_SIZE ? (page.at(-1)?.seq ?? null) : null),
    ...pagedReading(POLL_MS),
  });
  const { data, error } = query;
  const submissions = useMemo(() => data?.pages.flat() ?? [], [data]);
  const left = useUnfinished(view.ieo_id);
  const [typed, setTyped] = useState('');
  const order = useSortChoice();
  useTableAhead();
  const list = useWholeList(query, {
    isWhole: typed.trim() !== '' || order.sort !== null,
    onSave: () => void saveShown(),
  });
  const shown = useMemo(() => {
    const part = folded(typed.trim());
    return submissions.filter(({ beo_domain, beo_id }) =>
      [beo_domain ?? beo_id, references.get(beo_id) ?? ''].some((text) => folded(text).includes(part)),
    );
  }, [submissions, references, typed]);
  const columns = useColumns(references);
  const sorting = useSorting(shown, columns, order);

  const saveShown = async () => {
    const { submissionsCsv } = await import('./submissions-csv.ts');
    saveFile(`perpetua-submissions-${view.domain}.csv`, 'text/csv', submissionsCsv(sorting.rows, references));
  };

  return (
    <div className="space-y-4">
      <h1>{t('title')}</h1>
      <p className="max-w-prose">{t('lead')}</p>
      {left.unfinished.length > 0 && <UnfinishedList ieoId={view.ieo_id} {...left} />}
      <Refused failure={error ? failureOf(error) : null} />
      {!data && !error && <TableSkeleton rows={6} />}
      {data && submissions.length === 0 && (
        <EmptyState title={t('none')}>
          <p>
            <LocalLink href="/institution/submit" className={textLink}>
              {t('submit')}
            </LocalLink>
          </p>
        </EmptyState>
      )}
      {submissions.length > 0 && (
        <div className="wide space-y-4">
          <SearchField label={t('search')} value={typed} onChange={setTyped} />
          <ListExtent list={list} shown={shown.length} read={submissions.length} />
          {shown.length > 0 && (
            <DataTable
              caption={t('title')}
              columns={columns}
              sorting={sorting}
              keyOf={({ id }) => id}
              kept="submissions"
              onSave={list.save}
              isSaving={list.isSaving}
            />
          )}
          <MoreOf list={list} />
        </div>
      )}
    </div>
  );
}

function useColumns(references: ReadonlyMap<string, string>): readonly DataColumn<Submission>[] {
  const t = useTranslations('institution.submissions');
  const format = useFormats();
  const dates = useDates();
  return [
    {
      key: 'when',
      width: 'minmax(8rem,11.5rem)',
      name: t('when'),
      note: zoneName(Date.now()),
      sortBy: ({ seq }) => seq,
      cell: ({ accepted_at: at }) => (
        <time dateTime={at} className="whitespace-normal tabular-nums">
          {dates.moment(at)}
        </time>
      ),
    },
    {
      key: 'person',
      width: 'minmax(0,1.6fr)',
      name: t('person'),
      sortBy: ({ beo_domain, beo_id }) => beo_domain ?? beo_id,
      title: ({ beo_domain }) => beo_domain ?? t('destroyedHolder'),
      cell: ({ beo_domain }) => <span className="wrap-anywhere">{beo_domain ?? t('destroyedHolder')}</span>,
    },
    {
      key: 'reference',
      width: 'minmax(6.25rem,1fr)',
      name: t('reference'),
      sortBy: ({ beo_id }) => references.get(beo_id)?.toLowerCase() ?? null,
      title: ({ beo_id }) => references.get(beo_id) ?? '',
      cell: ({ beo_id }) => references.get(beo_id) ?? null,
    },
    {
      key: 'records',
      width: '5.25rem',
      name: t('records'),
      sortBy: ({ records }) => records,
      cell: ({ records }) => <span className="tabular-nums">{format.number(records)}</span>,
    },
    { key: 'status', name: t('status'), width: '10.5rem', cell: ({ status }) => <LedgerStatus status={status} /> },
    {
      key: 'entry',
      width: '4rem',
      name: t('entry'),
      cell: ({ id, seq }) => (
        <LocalLink href={`/explore/${id}`} className={`${textLink} inline-flex min-h-11 items-center tabular-nums`}>
          {format.number(seq)}
        </LocalLink>
      ),
    },
  ];
}
