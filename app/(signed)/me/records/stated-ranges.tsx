'use client';

import { useTranslations } from 'use-intl/react';
import { type Bounds, type Measured, referenceRange } from '../../../_ui/reference-range.ts';
import { exactly } from '../../../_ui/value.ts';

/** What an institution stated of the values to expect, as it stated it: numbers as numbers, texts as texts. */
export function StatedRanges({ record }: { record: Measured }) {
  const t = useTranslations('records.range');
  const range = referenceRange(record);
  if (!range) return null;
  const said = range.ranges.map(({ name, bounds, text }) => ({
    name,
    stated: [bounds && `${span(bounds)} ${range.unit}`, text].filter(Boolean).join(', '),
  }));
  return (
    <>
      <ul>
        {said.map(({ name, stated }) => (
          <li key={name} className="mr-3 inline-block">
            {t(name)} <span translate="no">{stated}</span>
          </li>
        ))}
      </ul>
      {range.population && <p>{t('population', { population: range.population })}</p>}
      {!range.comparable && <p>{t('otherUnit', { unit: range.unit })}</p>}
    </>
  );
}

function span({ low, high }: Bounds): string {
  if (low !== null && high !== null) return `${exactly(low)} – ${exactly(high)}`;
  return low !== null ? `≥ ${exactly(low)}` : `≤ ${exactly(high)}`;
}
