'use client';

import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { type DataColumn, DataTable } from '../../_ui/data-table.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useNow } from '../../_ui/now.ts';
import { saveFile } from '../../_ui/save-file.ts';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { useSorting } from '../../_ui/sorting.ts';
import { ROLES } from '../../_ui/table.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { type CertificationDraft, renewalOf } from './certification-draft.ts';
import { institutionsCsv } from './institutions-csv.ts';
import { NothingYet } from './nothing-yet.tsx';

type Institution = Answers['endingCertifications'][number];

const NONE: readonly Institution[] = [];

/** Certifications that end soon or have just ended, each with its renewal for a year. */
export function EndingCertifications({ onRenew }: { onRenew: (draft: CertificationDraft) => void }) {
  const t = useTranslations('institute.ending');
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.endingCertifications.queryOptions({}));
  const columns = useColumns(useNow(data?.[0]?.updated_at ?? ''));
  const sorting = useSorting(data ?? NONE, columns);
  return (
    <>
      {!data && (error ? <Refused failure={failureOf(error)} /> : <TableSkeleton rows={3} />)}
      {data?.length === 0 && (
        <NothingYet icon={CalendarClock} title={t('none')}>
          {t('noneWhat')}
        </NothingYet>
      )}
      {data && data.length > 0 && (
        <DataTable
          caption={t('title')}
          columns={columns}
          sorting={sorting}
          keyOf={({ ieo_id }) => ieo_id}
          kept="ending-certifications"
          onSave={() => saveFile('perpetua-ending-certifications.csv', 'text/csv', institutionsCsv(sorting.rows))}
          wraps
          end={{
            name: t('renewal'),
            width: '11rem',
            cells: (institution) => (
              <td {...ROLES.cell}>
                <Button look="secondary" onClick={() => onRenew(renewalOf(institution, Date.now()))}>
                  {t('renew')}
                </Button>
              </td>
            ),
          }}
        />
      )}
    </>
  );
}

/** @param now milliseconds */
function useColumns(now: number): readonly DataColumn<Institution>[] {
  const t = useTranslations('institute.ending');
  const words = useScopeWords();
  const day = useDay();
  return [
    {
      key: 'name',
      name: t('institution'),
      width: 'minmax(0,2fr)',
      sortBy: ({ display_name: name, domain }) => name ?? domain,
      cell: ({ ieo_id: id, display_name: name, domain }) => (
        <>
          <span className="block break-words">{name}</span>
          <LocalLink href={`/explore/${id}`} className={`${textLink} font-normal wrap-anywhere`}>
            {domain}
          </LocalLink>
        </>
      ),
    },
    {
      key: 'level',
      name: t('level'),
      sortBy: ({ certification }) => words.certLevel(certification.level),
      cell: ({ certification }) => (
        <span className="inline-block first-letter:uppercase">{words.certLevel(certification.level)}</span>
      ),
    },
    {
      key: 'ends',
      name: t('until'),
      sortBy: ({ certification }) => Date.parse(certification.expires_at ?? '') || null,
      cell: ({ certification: { expires_at: until } }) =>
        until && (Date.parse(until) <= now ? t('ended', { day: day(until) }) : day(until)),
    },
  ];
}
