'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { categoryOf } from '../../../../protocol/records/taxonomy.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { BackTo } from '../../../_ui/back-to.tsx';
import { Button } from '../../../_ui/button.tsx';
import { CategoryName } from '../../../_ui/category-name.tsx';
import { seriesOf } from './chart/series.ts';
import { ValueChart } from './chart/value-chart.tsx';
import { biomarkerGroup } from './group-records.ts';
import { EVERY_RECORD, matchesFilter } from './record-filter.ts';
import { Filters } from './record-filters.tsx';
import { type LoadedRecords, useRecords } from './records-provider.tsx';
import { ValueTable } from './value-table.tsx';
import { WithRecords } from './with-records.tsx';

/** One biomarker: a chart and all values. */
export function BiomarkerRecords({ code }: { code: string }) {
  const t = useTranslations('records');
  const nameOf = useBiomarkerName();
  const category = categoryOf(code);
  return (
    <div className="space-y-6">
      <div>
        <BackTo href="/me/records">{t('all')}</BackTo>
        <h1>{nameOf(code)}</h1>
        <p className="text-muted">
          {category && (
            <>
              <CategoryName code={category} />
              {' · '}
            </>
          )}
          <span translate="no">{code}</span>
        </p>
      </div>
      <WithRecords>{({ records }) => <Loaded code={code} all={records} />}</WithRecords>
    </div>
  );
}

function Loaded({ code, all }: { code: string; all: LoadedRecords['records'] }) {
  const t = useTranslations('records');
  const { filter, setFilter } = useRecords();
  const own = useMemo(() => all.filter(({ biomarker }) => biomarker === code), [all, code]);
  const { records } = useMemo(
    () => biomarkerGroup(code, own.filter(matchesFilter({ ...filter, category: null }))),
    [code, own, filter],
  );
  const series = useMemo(() => seriesOf(records), [records]);
  if (own.length === 0) return <p>{t('noSuch')}</p>;
  return (
    <>
      <Filters records={own} />
      {records.length === 0 && (
        <div role="status" className="rounded-lg border-2 border-dashed border-line px-6 py-10 text-center">
          <p className="text-lg font-bold">{t('filter.nothing')}</p>
          <Button look="secondary" className="mt-4" onClick={() => setFilter(EVERY_RECORD)}>
            {t('filter.clear')}
          </Button>
        </div>
      )}
      {series.length > 0 && (
        <section aria-labelledby="chart" className="space-y-4">
          <h2 id="chart" className="sr-only">
            {t('chart.heading')}
          </h2>
          {series.map((ofUnit) => (
            <ValueChart key={ofUnit.unit} series={ofUnit} all={own} />
          ))}
        </section>
      )}
      {records.length > 0 && (
        <section aria-labelledby="table" className="space-y-3">
          <h2 id="table">{t('table.title', { count: records.length })}</h2>
          {series.length === 0 && <p className="text-muted">{t('chart.noNumbers')}</p>}
          <ValueTable records={records} all={own} />
        </section>
      )}
    </>
  );
}
