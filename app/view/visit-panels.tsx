'use client';

import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { parseCollected } from '../../protocol/clinical/collected.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { Badge } from '../_ui/badge.tsx';
import { visitsOf } from '../_ui/records/visits.ts';
import { useDates } from '../_ui/use-dates.ts';
import type { Comparison } from './comparison.ts';
import { type Results, ResultTable } from './result-table.tsx';
import { sourceIn } from './verdict-mark.tsx';

/** The results as panels: what an institution collected on a day; last what has no day. */
export function VisitPanels({ compared, records, verdicts, people }: Results & Pick<Comparison, 'compared'>) {
  const t = useTranslations('view.opened');
  const visit = useTranslations('records.visit');
  const dates = useDates();
  const { visits, undated } = useMemo(() => {
    const all = compared.map(({ record }) => record);
    const isDated = ({ collected_at }: (typeof all)[number]) => parseCollected(collected_at) !== null;
    return {
      visits: visitsOf(all.filter(isDated), () => true),
      undated: compared.filter(({ record }) => !isDated(record)),
    };
  }, [compared]);
  // Of the first record that is proved: a panel has those of one institution.
  const nameOf = (own: readonly BioRecord[], stated: string): string => {
    const all = own.map(({ record_id: index }) => verdicts[Number(index)]);
    return sourceIn(all.find((verdict) => verdict?.state === 'proved') ?? all[0], stated);
  };
  return (
    <>
      {visits.map(({ key, day, institution, records: own, outOfRange }) => (
        <section
          key={key}
          className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3"
        >
          <h2 className="text-base wrap-anywhere">
            {[dates.day(day), nameOf(own, institution.source.ieo_domain)].filter(Boolean).join(' · ')}
          </h2>
          {outOfRange > 0 && (
            <Badge tone="caution">
              <TriangleAlert aria-hidden />
              {visit('outOfRange', { count: outOfRange })}
            </Badge>
          )}
          <ResultTable
            caption={dates.day(day)}
            first="what"
            viewed={own.flatMap(({ record_id: index }) => records[Number(index)] ?? [])}
            verdicts={verdicts}
            people={people}
          />
        </section>
      ))}
      {undated.length > 0 && (
        <section className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3">
          <h2 className="text-base">{t('undated')}</h2>
          <ResultTable caption={t('undated')} first="both" viewed={undated} verdicts={verdicts} people={people} />
        </section>
      )}
    </>
  );
}
