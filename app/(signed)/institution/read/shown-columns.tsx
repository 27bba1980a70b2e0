'use client';

import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { assessRecord, type Interpretation } from '../../../../protocol/clinical/assess.ts';
import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import { type Bounds, referenceRange } from '../../../../protocol/clinical/ranges.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import type { DataColumn } from '../../../_ui/data-table.tsx';
import { Identifier } from '../../../_ui/identifier.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { exactly } from '../../../_ui/value.ts';
import { zoneName } from '../../../_ui/zone.ts';
import { listedBiomarker } from '../submit/biomarkers.ts';

export const RECORD_WIDTHS =
  'md:grid-cols-[minmax(0,2.4fr)_minmax(5.75rem,1fr)_minmax(7.5rem,0.9fr)_8.5rem_minmax(0,0.9fr)_minmax(6.5rem,1fr)_8rem]';

/** The columns of the table of read records. */
export function useRecordColumns(): readonly DataColumn<BioRecord>[] {
  const t = useTranslations('institution.read');
  const dates = useDates();
  const nameOf = useNameOf();
  const rangesOf = useRanges();
  const measured = ({ value, unit }: BioRecord) => `${exactly(value)} ${unit}`;
  return [
    {
      key: 'what',
      name: t('what'),
      sortBy: nameOf,
      title: (record) => `${nameOf(record)} (${record.biomarker})`,
      cell: (record) => (
        // A long name is shortened, never the code.
        <span className="flex flex-wrap gap-x-2 md:flex-nowrap">
          <span className="min-w-0 md:truncate">{nameOf(record)}</span>
          <span className="shrink-0 font-normal text-muted">{record.biomarker}</span>
        </span>
      ),
    },
    {
      key: 'value',
      name: t('value'),
      sortBy: ({ value }) => (Number.isFinite(Number(value)) ? Number(value) : exactly(value)),
      title: measured,
      cell: measured,
    },
    {
      key: 'flag',
      name: t('flag'),
      sortBy: (record) => SEVERITY[assessRecord(record).interpretation ?? 'none'],
      cell: (record) => <Flag record={record} />,
    },
    {
      key: 'at',
      name: t('at'),
      note: zoneName(Date.now()),
      sortBy: ({ collected_at }) => collectedTime(collected_at),
      cell: ({ collected_at }) => (
        <time dateTime={collected_at} className="tabular-nums">
          {dates.moment(collected_at)}
        </time>
      ),
    },
    { key: 'range', name: t('range'), title: (record) => rangesOf(record) ?? '', cell: rangesOf },
    {
      key: 'by',
      name: t('by'),
      sortBy: ({ source }) => source.ieo_domain,
      title: ({ source }) => source.ieo_domain,
      cell: ({ source }) => source.ieo_domain,
    },
    {
      key: 'record',
      name: t('record'),
      cell: ({ record_id }) => <Identifier value={record_id} what="recordId" keep={4} />,
    },
  ];
}

/** The worst first. */
const SEVERITY: Readonly<Record<Interpretation | 'none', number>> = { LL: 0, HH: 0, L: 1, H: 1, none: 2, N: 3 };

const FLAGS = {
  LL: { tone: 'danger', Icon: TriangleAlert },
  L: { tone: 'caution', Icon: ArrowDown },
  H: { tone: 'caution', Icon: ArrowUp },
  HH: { tone: 'danger', Icon: TriangleAlert },
} as const;

/** What a value means against the ranges that were stated with it, or why it has no meaning. */
function Flag({ record }: { record: BioRecord }) {
  const t = useTranslations('institution.read');
  const { interpretation, unknown } = assessRecord(record);
  if (interpretation === null) return unknown && <span className="text-muted">{t(`unknown.${unknown}`)}</span>;
  if (interpretation === 'N') return t('interpretation.N');
  const { tone, Icon } = FLAGS[interpretation];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`interpretation.${interpretation}`)}
    </Badge>
  );
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
        t(name, { range: [bounds && boundsText(bounds), text].filter(Boolean).join(' ') }),
      )
      .map((text) => `${text}${unit}`)
      .join(' · ');
  };
}

function boundsText({ low, high }: Bounds): string {
  if (low === null) return `≤ ${high}`;
  return high === null ? `≥ ${low}` : `${low}–${high}`;
}
