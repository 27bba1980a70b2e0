'use client';

import { ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { assessRecord, severityOf } from '../../../../protocol/clinical/assess.ts';
import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import { numberIn } from '../../../../protocol/clinical/value.ts';
import { measuredText, valueText } from '../../../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { type DataColumn, DataTable } from '../../../_ui/data-table.tsx';
import { InterpretationFlag } from '../../../_ui/interpretation-flag.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { replacements } from '../../../_ui/records/group-records.ts';
import { ShownValue } from '../../../_ui/records/shown-value.tsx';
import { StatedRanges } from '../../../_ui/records/stated-ranges.tsx';
import { useSorting } from '../../../_ui/sorting.ts';
import { ROLES } from '../../../_ui/table.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';

type HistoryTableProps = {
  /** The newest first. */
  records: readonly BioRecord[];
  /** All records of the biomarker, to look up replacements. */
  all: readonly BioRecord[];
};

/** Every value with its flag and range; how it was measured is behind its row. */
export function HistoryTable({ records, all }: HistoryTableProps) {
  const t = useTranslations('records.table');
  const columns = useColumns(all);
  const sorting = useSorting(records, columns);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpened((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      sorting={sorting}
      keyOf={({ record_id }) => record_id}
      wraps
      end={{
        name: t('details'),
        width: '2.75rem',
        cells: (record) => (
          <DetailCells
            record={record}
            isOpen={opened.has(record.record_id)}
            onToggle={() => toggle(record.record_id)}
          />
        ),
      }}
    />
  );
}

function useColumns(all: readonly BioRecord[]): readonly DataColumn<BioRecord>[] {
  const t = useTranslations('records.table');
  const dates = useDates();
  const byId = useMemo(() => new Map(all.map((record) => [record.record_id, record])), [all]);
  const replacedBy = useMemo(() => replacements(all), [all]);
  return [
    {
      key: 'collected',
      width: '6.75rem',
      name: t('collected'),
      sortBy: ({ collected_at }) => collectedTime(collected_at),
      cell: ({ collected_at }) => (
        <time dateTime={collected_at} className="tabular-nums">
          {dates.moment(collected_at)}
        </time>
      ),
    },
    {
      key: 'value',
      name: t('value'),
      sortBy: ({ value }) => numberIn(value) ?? valueText(value),
      cell: (record) => (
        <MeasuredValue
          record={record}
          replacement={replacedBy.get(record.record_id) ?? null}
          replaces={byId.get(record.supersedes ?? '') ?? null}
        />
      ),
    },
    {
      key: 'flag',
      width: 'minmax(0,0.9fr)',
      name: t('flag'),
      sortBy: (record) => (isReplaced(record) ? null : severityOf(assessRecord(record).interpretation)),
      cell: (record) => (isReplaced(record) ? null : <InterpretationFlag record={record} />),
    },
    {
      key: 'range',
      width: 'minmax(0,1.4fr)',
      name: t('range'),
      cell: (record) => (record.ref_range ? <StatedRanges record={record} /> : null),
    },
    {
      key: 'source',
      name: t('source'),
      sortBy: ({ source }) => source.ieo_domain,
      cell: ({ ieo_id, source }) => <InstitutionName id={ieo_id} domain={source.ieo_domain} />,
    },
  ];
}

const isReplaced = ({ status }: BioRecord): boolean => status === 'SUPERSEDED';

type MeasuredValueProps = { record: BioRecord; replacement: BioRecord | null; replaces: BioRecord | null };

/** A value, and the value that it replaces or is replaced by. */
function MeasuredValue({ record, replacement, replaces }: MeasuredValueProps) {
  const t = useTranslations('records.table');
  const dates = useDates();
  return (
    <>
      {isReplaced(record) ? (
        <>
          <del className="text-muted">
            <ShownValue record={record} />
          </del>
          <span className="block">
            <Badge tone="caution">{t('replaced')}</Badge>{' '}
            {replacement
              ? t('replacedBy', { value: measuredText(replacement), day: dates.day(replacement.submitted_at) })
              : t('replacedByUnread')}
          </span>
        </>
      ) : (
        <ShownValue record={record} />
      )}
      {replaces && <span className="block text-muted">{t('replaces', { value: measuredText(replaces) })}</span>}
    </>
  );
}

type DetailCellsProps = { record: BioRecord; isOpen: boolean; onToggle: () => void };

/** The button that opens the details of a row, and the details below it. */
function DetailCells({ record, isOpen, onToggle }: DetailCellsProps) {
  const t = useTranslations('records.table');
  return (
    <>
      <td {...ROLES.cell} className="block print:hidden">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="group inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-1 rounded-md font-semibold text-muted hover:text-ink"
        >
          <span className="tabular:sr-only">{t('details')}</span>
          <ChevronDown aria-hidden className="size-5 group-aria-expanded:rotate-180" />
        </button>
      </td>
      {isOpen && (
        <td {...ROLES.cell} className="col-span-full block pb-1">
          <Details record={record} />
        </td>
      )}
    </>
  );
}

const SOURCE_MEMBERS = ['method', 'equipment', 'operator', 'firmware'] as const;

/** How a value was measured, according to the institution, and its entry on the ledger. */
function Details({ record: { source, confidence, arweave_tx, collected_at } }: { record: BioRecord }) {
  const t = useTranslations('records.table');
  const dates = useDates();
  const format = useFormats();
  return (
    <span className="flex flex-wrap items-baseline gap-x-5 text-muted">
      {SOURCE_MEMBERS.map((name) => {
        const value = source[name];
        return (
          value !== undefined &&
          value !== null &&
          value !== '' && (
            <span key={name}>
              {t(`sourceDetail.${name}`)} <span translate="no">{valueText(value)}</span>
            </span>
          )
        );
      })}
      {confidence !== null && (
        <span>
          {t('confidence', { share: format.number(confidence, { style: 'percent', maximumFractionDigits: 20 }) })}
        </span>
      )}
      <LocalLink href={`/explore/${arweave_tx}`} className={`${textLink} inline-flex min-h-11 items-center`}>
        {t('proof')}
        <span className="sr-only"> {dates.moment(collected_at)}</span>
      </LocalLink>
    </span>
  );
}
