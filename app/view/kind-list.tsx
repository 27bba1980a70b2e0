'use client';

import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { measuredText } from '../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { useBiomarkerName } from '../_i18n/biomarker-names.tsx';
import { Button } from '../_ui/button.tsx';
import { CategoryName } from '../_ui/category-name.tsx';
import { type BiomarkerGroup, byKind, UNLISTED } from '../_ui/records/group-records.ts';
import { Sparkline } from '../_ui/records/sparkline.tsx';
import { type Comparison, kindOf, namesOf } from './comparison.ts';
import { InFile, type Results, ResultTable } from './result-table.tsx';
import { usePrinting } from './use-printing.ts';

/** The results by kind: first what is out of range. */
export function KindList({ compared, records, verdicts, people }: Results & Pick<Comparison, 'compared'>) {
  const t = useTranslations('view.opened');
  const common = useTranslations('records');
  const { outOfRange, categories } = useMemo(() => {
    const keyOf = ({ record_id: index }: BioRecord): string => {
      const viewed = records[Number(index)];
      return viewed ? kindOf(viewed) : '';
    };
    return byKind(
      compared.map(({ record }) => record),
      keyOf,
    );
  }, [compared, records]);
  const shared = { records, verdicts, people };
  return (
    <>
      {outOfRange.length > 0 && (
        <section aria-labelledby="out-of-range" className="space-y-4">
          <h2 id="out-of-range">{common('outOfRange')}</h2>
          {outOfRange.map((group) => (
            <Kind key={group.code} group={group} {...shared} />
          ))}
        </section>
      )}
      {categories.map(({ category, biomarkers }) => (
        <section key={category} aria-labelledby={`category-${category}`} className="space-y-4">
          <h2 id={`category-${category}`}>
            {category === UNLISTED ? t('otherKinds') : <CategoryName code={category} />}
          </h2>
          {biomarkers.map((group) => (
            <Kind key={group.code} group={group} {...shared} />
          ))}
        </section>
      ))}
    </>
  );
}

const FEW = 6;

/** The values of one biomarker: the newest first, a line of all, and the words of the trend. */
function Kind({
  group: { records: own, trend, course },
  records,
  verdicts,
  people,
}: Results & { group: BiomarkerGroup }) {
  const t = useTranslations('view.opened');
  const trendWords = useTranslations('records.trend');
  const nameOf = useBiomarkerName();
  const [showsAll, setShowsAll] = useState(false);
  const isPrinting = usePrinting();
  const viewed = own.flatMap(({ record_id: index }) => records[Number(index)] ?? []);
  const shown = showsAll || isPrinting ? viewed : viewed.slice(0, FEW);
  const { name, inFile } = viewed[0] ? namesOf(viewed[0], nameOf) : { name: '', inFile: null };
  return (
    <div className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3">
      <div className="flex items-center justify-between gap-4">
        <h3 className="min-w-0 text-base wrap-anywhere" dir="auto">
          {name}
          <InFile name={inFile} />
        </h3>
        <Sparkline course={course} />
      </div>
      {trend && (
        <p className="text-sm text-muted">
          {trendWords(trend.direction ?? 'open', { value: measuredText(trend.previous) })}
        </p>
      )}
      <ResultTable
        caption={name}
        inFile={inFile}
        first="collected"
        viewed={shown}
        verdicts={verdicts}
        people={people}
      />
      {viewed.length > shown.length && (
        <Button look="secondary" className="mt-3" onClick={() => setShowsAll(true)}>
          {t('showAll', { count: viewed.length })}
        </Button>
      )}
    </div>
  );
}
