'use client';

import { ChevronRight, Minus, Share2, TrendingDown, TrendingUp } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { measuredText } from '../../../../protocol/clinical/value-text.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Button } from '../../../_ui/button.tsx';
import { CategoryName, useCategoryName } from '../../../_ui/category-name.tsx';
import { CertificationLegend } from '../../../_ui/certification-mark.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { InterpretationFlag } from '../../../_ui/interpretation-flag.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { type BiomarkerGroup, byKind, type Trend } from '../../../_ui/records/group-records.ts';
import { ShownValue } from '../../../_ui/records/shown-value.tsx';
import { Sparkline } from '../../../_ui/records/sparkline.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { matchesFilter } from './record-filter.ts';
import { Filters, NothingFound } from './record-filters.tsx';
import { type LoadedRecords, useRecords } from './records-provider.tsx';
import { VisitList } from './visit-list.tsx';

/** The records by kind, what is out of range first, or as the panels of visits. */
export function LoadedOverview({ records, readAt, readAgain }: LoadedRecords & { readAgain: () => void }) {
  const t = useTranslations('records');
  const dates = useDates();
  const { filter, view } = useRecords();
  const shown = useMemo(() => records.filter(matchesFilter(filter)), [records, filter]);
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
        <div className="flex flex-wrap gap-3">
          <Button asChild>
            <LocalLink href="/me/shares/new">
              <Share2 aria-hidden />
              {t('share')}
            </LocalLink>
          </Button>
          <Button look="secondary" onClick={readAgain}>
            {t('readAgain')}
          </Button>
        </div>
      </div>
      <Filters records={records} hasViews />
      {shown.length === 0 ? (
        <NothingFound />
      ) : view === 'visits' ? (
        <VisitList records={shown} />
      ) : (
        <ByKind records={shown} />
      )}
      {shown.length > 0 && <CertificationLegend />}
    </>
  );
}

function ByKind({ records }: Pick<LoadedRecords, 'records'>) {
  const t = useTranslations('records');
  const { outOfRange, categories } = useMemo(() => byKind(records), [records]);
  return (
    <>
      {outOfRange.length > 0 && (
        <Group id="out-of-range" title={t('outOfRange')} biomarkers={outOfRange} namesCategory />
      )}
      {categories.map(({ category, biomarkers }) => (
        <Group key={category} id={category} title={<CategoryName code={category} />} biomarkers={biomarkers} />
      ))}
    </>
  );
}

type GroupProps = {
  id: string;
  title: ReactNode;
  biomarkers: readonly BiomarkerGroup[];
  /** The biomarkers are of several categories. */
  namesCategory?: boolean;
};

function Group({ id, title, biomarkers, namesCategory = false }: GroupProps) {
  return (
    <section aria-labelledby={id} className="space-y-2 pt-1">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {biomarkers.map((group) => (
          <BiomarkerRow key={group.code} group={group} namesCategory={namesCategory} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { group: BiomarkerGroup; namesCategory: boolean };

function BiomarkerRow({ group: { code, records, latest, trend, course }, namesCategory }: RowProps) {
  const t = useTranslations('records');
  const dates = useDates();
  const nameOf = useBiomarkerName();
  const categoryName = useCategoryName();
  const [first] = records;
  return (
    <li className="break-inside-avoid">
      <LocalLink
        href={`/me/records/${code}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2 hover:bg-sunken sm:px-5 tabular:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.5fr)_6.25rem_auto]"
      >
        <span className="min-w-0">
          <span className="block leading-snug font-bold break-words">{nameOf(code)}</span>
          <span className="block text-sm text-muted">
            {t('values', { count: records.length })}
            {namesCategory && first && ` · ${categoryName(first.category)}`}
          </span>
        </span>
        <span className="col-start-1 min-w-0 tabular:col-start-auto">
          {latest ? <ShownValue record={latest} /> : t('allReplaced')}
          {trend && <TrendWords trend={trend} />}
        </span>
        <span className="col-start-1 min-w-0 text-sm tabular:col-start-auto">
          {latest && (
            <>
              <InterpretationFlag record={latest} />
              <span className="block text-muted">
                {dates.day(latest.collected_at)}
                {' · '}
                <InstitutionName id={latest.ieo_id} domain={latest.source.ieo_domain} isWithin />
              </span>
            </>
          )}
        </span>
        <span className="col-start-2 row-span-3 row-start-1 justify-self-end tabular:col-start-auto tabular:row-span-1 tabular:row-start-auto">
          <Sparkline course={course} />
        </span>
        <ChevronRight aria-hidden className="hidden size-5 shrink-0 text-muted md:block print:hidden" />
      </LocalLink>
    </li>
  );
}

const ARROWS = { up: TrendingUp, down: TrendingDown, same: Minus };

function TrendWords({ trend: { direction, previous } }: { trend: Trend }) {
  const t = useTranslations('records.trend');
  const Arrow = direction && ARROWS[direction];
  return (
    <span className="flex items-center gap-1.5 text-sm text-muted">
      {Arrow && <Arrow aria-hidden className="size-4 shrink-0" />}
      {t(direction ?? 'open', { value: measuredText(previous) })}
    </span>
  );
}

function NoRecords({ readAgain }: { readAgain: () => void }) {
  const t = useTranslations('records.empty');
  return (
    <EmptyState title={t('title')}>
      <p className="mx-auto max-w-form">{t('how')}</p>
      <div className="flex flex-col justify-center gap-3 pt-1 sm:flex-row">
        <Button asChild size="large">
          <LocalLink href="/me/consents/new">{t('give')}</LocalLink>
        </Button>
        <Button look="secondary" size="large" onClick={readAgain}>
          {t('again')}
        </Button>
      </div>
    </EmptyState>
  );
}
