'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { biomarkerGroup } from '../../../_ui/records/group-records.ts';
import { seriesOf } from './chart/series.ts';
import { ValueChart } from './chart/value-chart.tsx';
import { HistoryTable } from './history-table.tsx';
import { matchesFilter } from './record-filter.ts';
import { Filters, NothingFound } from './record-filters.tsx';
import { type LoadedRecords, useRecords } from './records-provider.tsx';

/** The chart and the table of one biomarker. */
export function LoadedBiomarker({ code, all }: { code: string; all: LoadedRecords['records'] }) {
  const t = useTranslations('records');
  const { filter } = useRecords();
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
      {records.length === 0 && <NothingFound />}
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
          <HistoryTable records={records} all={own} />
        </section>
      )}
    </>
  );
}
