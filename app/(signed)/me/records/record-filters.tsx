'use client';

import { type ReactNode, useId, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { dayOf, endOfDay, startOfDay } from '../../../../protocol/days.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { Button } from '../../../_ui/button.tsx';
import { useCategoryName } from '../../../_ui/category-name.tsx';
import { capitalized } from '../../../_ui/format.ts';
import { EVERY_RECORD } from './every-record.ts';
import { PERIODS, type Period, periodOf, startOfPeriod } from './period.ts';
import { useRecords } from './records-provider.tsx';

type FiltersProps = {
  records: readonly BioRecord[];
  /** Whether the records can be shown by kind or by visit. */
  hasViews?: boolean;
};

/** The filters for category and time. */
export function Filters({ records, hasViews = false }: FiltersProps) {
  const t = useTranslations('records.filter');
  const locale = useLocale();
  const nameOfCategory = useCategoryName();
  const { filter, setFilter, view, setView } = useRecords();
  const [chosen, setChosen] = useState<Period>(() => periodOf(filter));
  const present = new Set(records.map(({ category }) => category));

  const choose = (period: Period) => {
    setChosen(period);
    if (period !== 'between') setFilter({ ...filter, from: startOfPeriod(period, Date.now()), to: null });
  };

  return (
    <fieldset className="flex flex-wrap gap-4 print:hidden">
      <legend className="sr-only">{t('legend')}</legend>
      {hasViews && (
        <LabelledControl label={t('view')}>
          {(id) => (
            <select
              id={id}
              value={view}
              onChange={({ target }) => setView(target.value === 'visits' ? 'visits' : 'kinds')}
              className={control}
            >
              <option value="kinds">{t('kinds')}</option>
              <option value="visits">{t('visits')}</option>
            </select>
          )}
        </LabelledControl>
      )}
      {present.size > 1 && (
        <LabelledControl label={t('category')}>
          {(id) => (
            <select
              id={id}
              value={filter.category ?? ''}
              onChange={({ target }) => setFilter({ ...filter, category: target.value || null })}
              className={control}
            >
              <option value="">{t('everyCategory')}</option>
              {CATEGORIES.filter((code) => present.has(code)).map((code) => (
                <option key={code} value={code}>
                  {capitalized(locale, nameOfCategory(code))}
                </option>
              ))}
            </select>
          )}
        </LabelledControl>
      )}
      <LabelledControl label={t('time')}>
        {(id) => (
          <select id={id} value={chosen} onChange={({ target }) => choose(target.value as Period)} className={control}>
            {PERIODS.map((period) => (
              <option key={period} value={period}>
                {t(`period.${period}`)}
              </option>
            ))}
          </select>
        )}
      </LabelledControl>
      {chosen === 'between' && (
        <div className="grid w-full grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4 sm:flex sm:w-auto">
          <LabelledControl label={t('from')}>
            {(id) => (
              <input
                id={id}
                type="date"
                value={filter.from === null ? '' : dayOf(filter.from)}
                onChange={({ target }) => setFilter({ ...filter, from: startOfDay(target.value) })}
                className={control}
              />
            )}
          </LabelledControl>
          <LabelledControl label={t('to')}>
            {(id) => (
              <input
                id={id}
                type="date"
                value={filter.to === null ? '' : dayOf(filter.to)}
                onChange={({ target }) => setFilter({ ...filter, to: endOfDay(target.value) })}
                className={control}
              />
            )}
          </LabelledControl>
        </div>
      )}
    </fieldset>
  );
}

/** Where no record matches the filters. */
export function NothingFound() {
  const t = useTranslations('records.filter');
  const { setFilter } = useRecords();
  return (
    <div role="status" className="rounded-lg border-2 border-dashed border-line px-6 py-10 text-center">
      <p className="text-lg font-bold">{t('nothing')}</p>
      <Button look="secondary" className="mt-4" onClick={() => setFilter(EVERY_RECORD)}>
        {t('clear')}
      </Button>
    </div>
  );
}

const control =
  'min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-3 text-ink hover:border-ink sm:min-w-52';

function LabelledControl({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="w-full sm:w-auto">
      <label htmlFor={id} className="block pb-1 text-sm font-semibold text-muted">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
