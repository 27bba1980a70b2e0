'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { newestFirst } from '../_ui/records/group-records.ts';
import type { ViewedRecord } from './contents.ts';
import { type Results, ResultTable } from './result-table.tsx';
import { usePrinting } from './use-printing.ts';

const FEW = 20;

/** The results that are not compared with the others: comparison.ts. */
export function ApartList({ apart, ...shared }: Results & { apart: readonly ViewedRecord[] }) {
  const t = useTranslations('view.opened');
  const [showsAll, setShowsAll] = useState(false);
  const isPrinting = usePrinting();
  if (apart.length === 0) return null;
  const sorted = apart.toSorted((one, other) => newestFirst(one.record, other.record));
  const shown = showsAll || isPrinting ? sorted : sorted.slice(0, FEW);
  return (
    <section aria-labelledby="apart" className="space-y-3">
      <h2 id="apart">{t('apart')}</h2>
      <p className="max-w-prose">{t('apartBody')}</p>
      <div className="tabular:rounded-lg tabular:border tabular:border-line tabular:bg-surface tabular:px-5 tabular:py-3">
        <ResultTable {...shared} caption={t('apart')} first="both" viewed={shown} />
        {sorted.length > shown.length && (
          <Button look="secondary" className="mt-3" onClick={() => setShowsAll(true)}>
            {t('showAll', { count: sorted.length })}
          </Button>
        )}
      </div>
    </section>
  );
}
