'use client';

import { useTranslations } from 'use-intl/react';
import { assessRecord, severityOf } from '../../../../protocol/clinical/assess.ts';
import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import { boundsText, referenceRange } from '../../../../protocol/clinical/ranges.ts';
import { numberIn } from '../../../../protocol/clinical/value.ts';
import { measuredText, valueText } from '../../../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import type { DataColumn } from '../../../_ui/data-table.tsx';
import { Identifier } from '../../../_ui/identifier.tsx';
import { InterpretationFlag } from '../../../_ui/interpretation-flag.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { zoneName } from '../../../_ui/zone.ts';
import { listedBiomarker } from '../submit/biomarkers.ts';

/** The columns of the table of read records. */
export function useRecordColumns(): readonly DataColumn<BioRecord>[] {
  const t = useTranslations('institution.read');
  const dates = useDates();
  const nameOf = useNameOf();
  const rangesOf = useRanges();
  return [
    {
      key: 'what',
      width: 'minmax(0,1.4fr)',
      name: t('what'),
      sortBy: nameOf,
      cell: (record) => (
        <>
          {nameOf(record)} <span className="inline-block font-normal text-muted">{record.biomarker}</span>
        </>
      ),
    },
    {
      key: 'value',
      isFixed: true,
      width: 'minmax(0,0.9fr)',
      name: t('value'),
      sortBy: ({ value }) => numberIn(value) ?? valueText(value),
      cell: measuredText,
    },
    {
      key: 'flag',
      isFixed: true,
      width: 'minmax(6.5rem,0.9fr)',
      name: t('flag'),
      sortBy: (record) => severityOf(assessRecord(record).interpretation),
      cell: (record) => <InterpretationFlag record={record} />,
    },
    {
      key: 'at',
      isFixed: true,
      width: '6.5rem',
      name: t('at'),
      note: zoneName(Date.now()),
      sortBy: ({ collected_at }) => collectedTime(collected_at),
      cell: ({ collected_at }) => (
        <time dateTime={collected_at} className="tabular-nums">
          {dates.moment(collected_at)}
        </time>
      ),
    },
    { key: 'range', name: t('range'), cell: rangesOf },
    {
      key: 'by',
      width: 'minmax(6.75rem,1fr)',
      name: t('by'),
      sortBy: ({ source }) => source.ieo_domain,
      cell: ({ source }) => <span className="wrap-anywhere">{source.ieo_domain}</span>,
    },
    {
      key: 'record',
      width: '7.75rem',
      name: t('record'),
      cell: ({ record_id }) => <Identifier value={record_id} what="recordId" keep={4} />,
    },
  ];
}

/** The name of what was measured, in the language of the page. */
export function useNameOf(): (record: BioRecord) => string {
  const biomarker = useBiomarkerName();
  return (record) => listedBiomarker(record.biomarker, { biomarker })?.name ?? record.biomarker;
}

/** The stated ranges of a record in one line; null without any. */
function useRanges(): (record: BioRecord) => string | null {
  const t = useTranslations('institution.read.ranges');
  return (record) => {
    const range = referenceRange(record);
    if (!range) return null;
    const unit = range.comparable ? '' : ` ${range.unit}`;
    return range.ranges
      .map(({ name, bounds, text }) =>
        t(name, { range: [bounds && boundsText(name, bounds), text].filter(Boolean).join(' ') }),
      )
      .map((text) => `${text}${unit}`)
      .join(' · ');
  };
}
