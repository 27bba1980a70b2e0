'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { csvCell } from '../../../protocol/records/csv-cell.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { type DataColumn, DataTable } from '../../_ui/data-table.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { saveFile } from '../../_ui/save-file.ts';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { useSorting } from '../../_ui/sorting.ts';
import { textLink } from '../../_ui/text-link.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { useEntryWords } from '../../_ui/use-entry-words.ts';

type Entry = Answers['entries']['entries'][number];

const SHOWN = 100;

/** The decisions of the institute, as they are on the ledger: certifications, proposals and their approvals, newest first. */
export function DecisionLog() {
  const t = useTranslations('institute.log');
  const trpc = useTRPC();
  const certified = useQuery(trpc.entries.queryOptions({ function: 'updateCertification', limit: SHOWN }));
  const proposed = useQuery(trpc.entries.queryOptions({ kind: 'proposal', limit: SHOWN }));
  const entries = useMemo(
    () =>
      [...(certified.data?.entries ?? []), ...(proposed.data?.entries ?? [])]
        .sort((one, other) => other.seq - one.seq)
        .slice(0, SHOWN),
    [certified.data, proposed.data],
  );
  const columns = useColumns();
  const sorting = useSorting(entries, columns);
  const error = certified.error ?? proposed.error;
  const isRead = certified.data !== undefined && proposed.data !== undefined;
  if (!isRead) return error ? <Refused failure={failureOf(error)} /> : <TableSkeleton rows={8} />;
  return (
    <div className="space-y-4">
      {entries.length === 0 && <p className="text-muted">{t('none')}</p>}
      {entries.length > 0 && (
        <div className="wide">
          <DataTable
            caption={t('title')}
            columns={columns}
            sorting={sorting}
            keyOf={({ id }) => id}
            kept="decisions"
            onSave={() => saveFile('perpetua-decisions.csv', 'text/csv', decisionsCsv(sorting.rows))}
            wraps
          />
        </div>
      )}
      {entries.length === SHOWN && <p className="text-muted">{t('older', { count: SHOWN })}</p>}
    </div>
  );
}

function useColumns(): readonly DataColumn<Entry>[] {
  const t = useTranslations('institute.log');
  const format = useFormatter();
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

/** RFC 4180 with a byte order mark, for spreadsheets. */
const decisionsCsv = (entries: readonly Entry[]): string =>
  [
    ['accepted_at', 'function', 'domain', 'entry', 'id'],
    ...entries.map(({ accepted_at, function: name, subject, seq, id }) => [
      accepted_at,
      name,
      subject?.domain ?? null,
      seq,
      id,
    ]),
  ]
    .map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`)
    .join('')
    .replace(/^/, '\ufeff');
