'use client';

import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { parseCollected } from '../../protocol/clinical/collected.ts';
import { Badge } from '../_ui/badge.tsx';
import { visitsOf } from '../_ui/records/visits.ts';
import { useDates } from '../_ui/use-dates.ts';
import { type Results, ResultTable } from './result-table.tsx';

/** The results as panels: what an institution collected on a day; last what has no day. */
export function VisitPanels({ records, verdicts }: Results) {
  const t = useTranslations('view.opened');
  const dates = useDates();
  const { visits, undated } = useMemo(() => {
    const all = records.map(({ record }) => record);
    const isDated = ({ collected_at }: (typeof all)[number]) => parseCollected(collected_at) !== null;
    return { visits: visitsOf(all.filter(isDated)), undated: records.filter(({ record }) => !isDated(record)) };
  }, [records]);
  return (
    <>
      {visits.map(({ key, day, institution, records: own, outOfRange }) => (
        <section
          key={key}
          className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3"
        >
          <h2 className="text-base wrap-anywhere">
            {[dates.day(day), institution.source.ieo_domain].filter(Boolean).join(' · ')}
          </h2>
          {outOfRange > 0 && (
            <Badge tone="caution">
              <TriangleAlert aria-hidden />
              {t('countOutOfRange', { count: outOfRange })}
            </Badge>
          )}
          <ResultTable
            caption={dates.day(day)}
            first="what"
            viewed={own.flatMap(({ record_id: index }) => records[Number(index)] ?? [])}
            verdicts={verdicts}
          />
        </section>
      ))}
      {undated.length > 0 && (
        <section className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3">
          <h2 className="text-base">{t('undated')}</h2>
          <ResultTable caption={t('undated')} first="what" viewed={undated} verdicts={verdicts} />
        </section>
      )}
    </>
  );
}
