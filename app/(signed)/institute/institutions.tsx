'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CERT_LEVELS } from '../../../protocol/entities/ieo.ts';
import { folded } from '../../../protocol/folded-text.ts';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { pagedReading, useWholeList } from '../../_trpc/use-whole-list.ts';
import { useAddress } from '../../_ui/address.ts';
import { Button } from '../../_ui/button.tsx';
import { CertificationMark } from '../../_ui/certification-mark.tsx';
import { type DataColumn, DataTable, useTableAhead } from '../../_ui/data-table.tsx';
import { ListExtent, MoreOf } from '../../_ui/list-extent.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { saveFile } from '../../_ui/save-file.ts';
import { SearchField } from '../../_ui/search-field.tsx';
import { Select } from '../../_ui/select.tsx';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { useSortChoice, useSorting } from '../../_ui/sorting.ts';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { ROLES } from '../../_ui/table.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { withParameters } from '../../_ui/with-parameters.ts';
import { type CertificationDraft, EMPTY_CERTIFICATION, renewalOf } from './certification-draft.ts';
import { institutionsCsv } from './institutions-csv.ts';

type Institution = Answers['institutions']['ieos'][number];

/** What the list can be narrowed to, beside a level. */
const SUSPENDED = 'SUSPENDED';

type InstitutionsProps = { onCertify: (draft: CertificationDraft, isRenewal: boolean) => void };

/** All institutions with their level, since when they have it, and its end. */
export function Institutions({ onCertify }: InstitutionsProps) {
  const t = useTranslations('institute.list');
  const words = useScopeWords();
  const client = useTRPCClient();
  const { search, replace } = useAddress();
  // Only the level is in the address: a history and a log of addresses must not have what was typed.
  const [filter, setFilter] = useState(() => ({ level: search.get('level') ?? '', typed: '' }));
  const change = (changes: Partial<typeof filter>) => {
    const changed = { ...filter, ...changes };
    setFilter(changed);
    const parameters = withParameters(search, { level: changed.level });
    if (`${parameters}` !== `${search}`) replace(`?${parameters}`);
  };
  const certLevel = CERT_LEVELS.find((level) => level === filter.level) ?? null;
  const status = filter.level === SUSPENDED ? SUSPENDED : certLevel === 'UNCERTIFIED' ? ('ACTIVE' as const) : null;
  const query = useInfiniteQuery({
    queryKey: ['institutions', certLevel, status],
    queryFn: ({ pageParam: cursor }) => client.institutions.query({ status, certLevel, limit: MAX_PAGE_SIZE, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...pagedReading(false),
  });
  const { data, error } = query;
  const order = useSortChoice();
  useTableAhead();
  const list = useWholeList(query, {
    isWhole: filter.typed.trim() !== '' || order.sort !== null,
    onSave: () => saveFile('perpetua-institutions.csv', 'text/csv', institutionsCsv(sorting.rows)),
  });
  const all = useMemo(() => data?.pages.flatMap(({ ieos }) => ieos) ?? [], [data]);
  const shown = useMemo(() => {
    const part = folded(filter.typed.trim());
    return all.filter(({ domain, display_name: name }) => folded(`${name ?? ''} ${domain}`).includes(part));
  }, [all, filter.typed]);
  const columns = useColumns();
  const sorting = useSorting(shown, columns, order);

  return (
    <div className="space-y-4">
      <div className="grid gap-3 sm:grid-cols-[2fr_1fr] sm:items-end">
        <SearchField label={t('find')} value={filter.typed} onChange={(typed) => change({ typed })} />
        <Select label={t('show')} value={filter.level} onChange={({ target }) => change({ level: target.value })}>
          <option value="">{t('all')}</option>
          {CERT_LEVELS.map((level) => (
            <option key={level} value={level}>
              {words.certLevel(level)}
            </option>
          ))}
          <option value={SUSPENDED}>{t('suspended')}</option>
        </Select>
      </div>
      <Refused failure={error && failureOf(error)} />
      {!data && !error && <TableSkeleton rows={8} />}
      {data && <ListExtent list={list} shown={shown.length} read={all.length} total={data.pages[0]?.count} />}
      {shown.length > 0 && (
        <div className="wide">
          <DataTable
            caption={t('title')}
            columns={columns}
            sorting={sorting}
            keyOf={({ ieo_id }) => ieo_id}
            kept="institutions"
            onSave={list.save}
            isSaving={list.isSaving}
            wraps
            end={{
              name: t('action'),
              width: '7rem',
              cells: (institution) => (
                <td {...ROLES.cell}>
                  <CertifyButton institution={institution} onCertify={onCertify} />
                </td>
              ),
            }}
          />
        </div>
      )}
      <MoreOf list={list} />
    </div>
  );
}

function CertifyButton({ institution, onCertify }: InstitutionsProps & { institution: Institution }) {
  const t = useTranslations('institute.list');
  if (institution.status === 'REVOKED' || institution.status === 'DESTROYED') return null;
  if (institution.certification.level !== 'UNCERTIFIED')
    return (
      <Button look="secondary" onClick={() => onCertify(renewalOf(institution, Date.now()), true)}>
        {t('renew')}
      </Button>
    );
  return (
    <Button look="secondary" onClick={() => onCertify({ ...EMPTY_CERTIFICATION, institution }, false)}>
      {t('certify')}
    </Button>
  );
}

function useColumns(): readonly DataColumn<Institution>[] {
  const t = useTranslations('institute.list');
  const words = useScopeWords();
  const dates = useDates();
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
      key: 'type',
      name: t('type'),
      width: 'minmax(0,1fr)',
      sortBy: ({ ieo_type }) => words.ieoType(ieo_type),
      cell: ({ ieo_type }) => <span className="inline-block first-letter:uppercase">{words.ieoType(ieo_type)}</span>,
    },
    {
      key: 'status',
      name: t('status'),
      width: '7.5rem',
      sortBy: ({ status }) => status,
      cell: ({ status }) => <StateBadge state={status} />,
    },
    {
      key: 'level',
      name: t('level'),
      width: 'minmax(8rem,1fr)',
      sortBy: ({ certified, certification }) => (certified ? certification.level : ''),
      cell: (institution) => <CertificationMark institution={institution} />,
    },
    {
      key: 'since',
      name: t('since'),
      width: '7.5rem',
      sortBy: ({ certification }) => Date.parse(certification.granted_at ?? '') || null,
      cell: ({ certification: { granted_at: at } }) => at && <time dateTime={at}>{dates.day(at)}</time>,
    },
    {
      key: 'ends',
      name: t('ends'),
      width: '7.5rem',
      sortBy: ({ certification }) => Date.parse(certification.expires_at ?? '') || null,
      cell: ({ certification: { level, expires_at: end } }) =>
        end ? <time dateTime={end}>{dates.day(end)}</time> : level === 'UNCERTIFIED' ? null : t('noEnd'),
    },
  ];
}
