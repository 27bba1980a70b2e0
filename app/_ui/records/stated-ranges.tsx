'use client';

import { useTranslations } from 'use-intl/react';
import {
  boundsText,
  type Measured,
  type RangeName,
  type ReferenceRange,
  referenceRange,
} from '../../../protocol/clinical/ranges.ts';
import { shownUnit } from '../../../protocol/clinical/value-text.ts';

/** The reference ranges as the institution stated them: numbers and texts. */
export function StatedRanges({ record }: { record: Measured }) {
  const t = useTranslations('records.range');
  const range = referenceRange(record);
  if (!range) return null;
  return (
    <>
      <ul>
        {range.ranges.map(({ name }) => (
          <li key={name} className="mr-3 inline-block">
            {t(name)} <span translate="no">{rangeText(range, name)}</span>
          </li>
        ))}
      </ul>
      {range.population && <p>{t('population', { population: range.population })}</p>}
      {!range.comparable && <p>{t('otherUnit', { unit: range.unit })}</p>}
    </>
  );
}

/** One of the ranges as it was stated: “40 – 60 ng/mL”. */
export function rangeText({ ranges, unit }: ReferenceRange, name: RangeName): string {
  const stated = ranges.find((range) => range.name === name);
  return [stated?.bounds && `${boundsText(name, stated.bounds)} ${shownUnit(unit)}`.trim(), stated?.text]
    .filter(Boolean)
    .join(', ');
}
