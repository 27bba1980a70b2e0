'use client';

import { ChevronRight, Minus, TrendingDown, TrendingUp } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { measuredText } from '../../../../protocol/clinical/value-text.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Button } from '../../../_ui/button.tsx';
import { CategoryName } from '../../../_ui/category-name.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { type BiomarkerGroup, byCategory, type Trend } from './group-records.ts';
import { RangeFlags } from './range-flags.tsx';
import { EVERY_RECORD, matchesFilter } from './record-filter.ts';
import { Filters } from './record-filters.tsx';
import { type LoadedRecords, useRecords } from './records-provider.tsx';
import { ShownValue } from './shown-value.tsx';
import { Sparkline } from './sparkline.tsx';
import { WithRecords } from './with-records.tsx';

/** All records of a person by category, with the latest value and trend of each biomarker. */
export function RecordsOverview() {
  const t = useTranslations('records');
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <WithRecords>{(loaded) => <Loaded {...loaded} />}</WithRecords>
    </div>
  );
}

function Loaded({ records, readAt, readAgain }: LoadedRecords & { readAgain: () => void }) {
  const t = useTranslations('records');
  const dates = useDates();
  const { filter, setFilter } = useRecords();
  const groups = useMemo(() => byCategory(records.filter(matchesFilter(filter))), [records, filter]);
  if (records.length === 0) return <NoRecords readAgain={readAgain} />;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="max-w-prose text-muted">
          {t.rich('held', {
            count: records.length,
            time: dates.time(readAt),
            log: (text) => (
              <LocalLink href="/me/access" className={textLink}>
                {text}
              </LocalLink>
            ),
          })}
        </p>
        <Button look="secondary" onClick={readAgain}>
          {t('readAgain')}
        </Button>
      </div>
      <Filters records={records} />
      {groups.length === 0 && (
        <div role="status" className="rounded-lg border-2 border-dashed border-line px-6 py-10 text-center">
          <p className="text-lg font-bold">{t('filter.nothing')}</p>
          <Button look="secondary" className="mt-4" onClick={() => setFilter(EVERY_RECORD)}>
            {t('filter.clear')}
          </Button>
        </div>
      )}
      {groups.map(({ category, biomarkers }) => (
        <section key={category} aria-labelledby={category} className="space-y-3 pt-2">
          <h2 id={category}>
            <CategoryName code={category} />
          </h2>
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {biomarkers.map((biomarker) => (
              <BiomarkerRow key={biomarker.code} group={biomarker} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function BiomarkerRow({ group: { code, records, latest, trend, course } }: { group: BiomarkerGroup }) {
  const t = useTranslations('records');
  const dates = useDates();
  const nameOf = useBiomarkerName();
  return (
    <li>
      <LocalLink
        href={`/me/records/${code}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 first-of-type:rounded-t-lg hover:bg-sunken sm:px-5 md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_7rem_auto]"
      >
        <span className="min-w-0">
          <span className="block font-bold break-words">{nameOf(code)}</span>
          <span className="block text-sm text-muted">{t('values', { count: records.length })}</span>
        </span>
        <span className="col-start-1 row-start-2 min-w-0 md:col-start-2 md:row-start-1">
          {latest ? <ShownValue record={latest} /> : t('allReplaced')}
          {latest && <RangeFlags record={latest} />}
          {latest && (
            <span className="block text-sm text-muted">
              {trend && <TrendWords trend={trend} />}
              <span className="block">
                {dates.day(latest.collected_at)}
                {' · '}
                <InstitutionName id={latest.ieo_id} domain={latest.source.ieo_domain} />
              </span>
            </span>
          )}
        </span>
        <span className="col-start-2 row-span-2 row-start-1 hidden justify-self-end min-[22rem]:block md:col-start-3 md:row-span-1">
          <Sparkline course={course} />
        </span>
        <ChevronRight aria-hidden className="hidden size-5 shrink-0 text-muted md:col-start-4 md:block" />
      </LocalLink>
    </li>
  );
}

const ARROWS = { up: TrendingUp, down: TrendingDown, same: Minus };

function TrendWords({ trend: { direction, previous } }: { trend: Trend }) {
  const t = useTranslations('records.trend');
  const Arrow = ARROWS[direction];
  return (
    <span className="flex items-center gap-1.5">
      <Arrow aria-hidden className="size-4 shrink-0" />
      {t(direction, { value: measuredText(previous) })}
    </span>
  );
}

function NoRecords({ readAgain }: { readAgain: () => void }) {
  const t = useTranslations('records.empty');
  return (
    <div className="max-w-prose space-y-4 rounded-lg border-2 border-dashed border-line px-6 py-10">
      <h2>{t('title')}</h2>
      <p>{t('how')}</p>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button asChild size="large">
          <LocalLink href="/me/consents/new">{t('give')}</LocalLink>
        </Button>
        <Button look="secondary" size="large" onClick={readAgain}>
          {t('again')}
        </Button>
      </div>
    </div>
  );
}
