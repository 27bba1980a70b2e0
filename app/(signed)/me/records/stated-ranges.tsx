'use client';

import { useTranslations } from 'use-intl/react';
import { type Bounds, type Measured, referenceRange } from '../../../_ui/reference-range.ts';
import { exactly } from '../../../_ui/value.ts';

/** The reference ranges as the institution stated them: numbers and texts. */
export function StatedRanges({ record }: { record: Measured }) {
  const t = useTranslations('records.range');
  const range = referenceRange(record);
  if (!range) return null;
  const statedRanges = range.ranges.map(({ name, bounds, text }) => ({
    name,
    stated: [bounds && `${span(bounds)} ${range.unit}`, text].filter(Boolean).join(', '),
  }));
  return (
    <>
      <ul>
        {statedRanges.map(({ name, stated }) => (
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
