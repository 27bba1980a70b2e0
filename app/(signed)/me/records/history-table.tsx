'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { measuredText } from '../../../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { exactly } from '../../../_ui/value.ts';
import { replacements } from './group-records.ts';
import { RangeFlags } from './range-flags.tsx';
import { ShownValue } from './shown-value.tsx';
import { StatedRanges } from './stated-ranges.tsx';

const COLUMNS = 'md:grid md:grid-cols-[10.25rem_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.2fr)_3.5rem] md:gap-x-5';
/** On phones, a row is a card. */
const CARD =
  'grid grid-cols-2 gap-x-4 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 md:rounded-none md:border-0 md:border-b md:bg-transparent md:px-0';
const GAP = 12;

/** Some browsers drop the table semantics when `display` changes; these roles restore them. */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

const ESTIMATE = 96;
const BEYOND = 4;

type ValueTableProps = {
  /** The newest first. */
  records: readonly BioRecord[];
  /** All records of the biomarker, to look up replacements. */
  all: readonly BioRecord[];
};

/** A virtual table of all values with their sources. */
export function ValueTable(props: ValueTableProps) {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState<number | null>(null);

  // Content above the table may grow, such as a chart that was just drawn.
  useEffect(() => {
    const measure = () => setTop((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(document.body);
    return () => resized.disconnect();
  }, []);

  // Only after the page is in place: the virtualizer scrolls to the position at its first render.
  return <div ref={place}>{top !== null && <Rows {...props} top={top} />}</div>;
}

/** `top`: the offset of the table from the top of the page, in px. */
function Rows({ records, all, top }: ValueTableProps & { top: number }) {
  const t = useTranslations('records.table');
  const byId = useMemo(() => new Map(all.map((record) => [record.record_id, record])), [all]);
  const replacedBy = useMemo(() => replacements(all), [all]);

  const rows = useWindowVirtualizer({
    count: records.length,
    estimateSize: () => ESTIMATE,
    overscan: BEYOND,
    useFlushSync: false,
    gap: GAP,
    scrollMargin: top,
    getItemKey: (index) => records[index]?.record_id ?? index,
  });

  return (
    <table {...ROLES.table} aria-rowcount={records.length + 1} className="block w-full">
      <caption className="sr-only">{t('caption')}</caption>
      <thead {...ROLES.rowgroup} className="sr-only md:not-sr-only md:block">
        <tr {...ROLES.row} aria-rowindex={1} className={`${COLUMNS} border-b-2 border-ink py-2`}>
          {(['collected', 'value', 'range', 'source', 'ledger'] as const).map((column) => (
            <th
              key={column}
              {...ROLES.columnheader}
              scope="col"
              className="min-w-0 text-left text-sm font-semibold text-muted"
            >
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.rowgroup} className="relative block" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const record = records[index];
          return (
            record && (
              <tr
                key={key}
                {...ROLES.row}
                ref={rows.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={`${COLUMNS} ${CARD} absolute inset-x-0 top-0 contain-layout contain-style`}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <Cells
                  record={record}
                  replacement={replacedBy.get(record.record_id) ?? null}
                  replaces={record.supersedes ? (byId.get(record.supersedes) ?? null) : null}
                />
              </tr>
            )
          );
        })}
      </tbody>
    </table>
  );
}

type RowProps = { record: BioRecord; replacement: BioRecord | null; replaces: BioRecord | null };

/** Memoized: scrolling does not change a row. */
const Cells = memo(function Cells({ record, replacement, replaces }: RowProps) {
  const t = useTranslations('records.table');
  const dates = useDates();
  const isReplaced = record.status === 'SUPERSEDED';
  return (
    <>
      <Cell label={t('collected')}>
        <time dateTime={record.collected_at}>{dates.moment(record.collected_at)}</time>
      </Cell>
      <Cell label={t('value')}>
        {isReplaced ? (
          <del className="text-muted">
            <ShownValue record={record} />
          </del>
        ) : (
          <ShownValue record={record} />
        )}
        {!isReplaced && <RangeFlags record={record} />}
        {isReplaced && (
          <span className="mt-1 block text-sm">
            <Badge tone="caution">{t('replaced')}</Badge>{' '}
            {replacement
              ? t('replacedBy', {
                  value: measuredText(replacement),
                  day: dates.day(replacement.submitted_at),
                })
              : t('replacedByUnread')}
          </span>
        )}
        {replaces && (
          <span className="mt-1 block text-sm text-muted">{t('replaces', { value: measuredText(replaces) })}</span>
        )}
      </Cell>
      <Cell
        label={t('range')}
        className={record.ref_range ? 'col-span-2 text-sm md:col-span-1' : 'text-sm max-md:hidden'}
      >
        {record.ref_range ? <StatedRanges record={record} /> : <span className="text-muted">{t('noRange')}</span>}
      </Cell>
      <Cell label={t('source')} className="text-sm">
        <span className="block font-semibold">
          <InstitutionName id={record.ieo_id} domain={record.source.ieo_domain} />
        </span>
        <Source record={record} />
      </Cell>
      <Cell label={t('ledger')} className="text-sm">
        <LocalLink href={`/explore/${record.arweave_tx}`} className={`${textLink} -my-2 inline-block py-2`}>
          {t('proof')}
          <span className="sr-only"> {dates.moment(record.collected_at)}</span>
        </LocalLink>
      </Cell>
    </>
  );
});

const SOURCE_MEMBERS = ['method', 'equipment', 'operator', 'firmware'] as const;

/** How the value was measured, according to the institution. */
function Source({ record: { source, confidence } }: { record: BioRecord }) {
  const t = useTranslations('records.table');
  const format = useFormatter();
  return (
    <span className="block break-words text-muted">
      {SOURCE_MEMBERS.map((name) => {
        const value = source[name];
        return (
          value !== undefined &&
          value !== null &&
          value !== '' && (
            <span key={name} className="block">
              {t(`sourceDetail.${name}`)} <span translate="no">{exactly(value)}</span>
            </span>
          )
        );
      })}
      {confidence !== null && (
        <span className="block">
          {t('confidence', {
            share: format.number(confidence, { style: 'percent', maximumFractionDigits: 20 }),
          })}
        </span>
      )}
    </span>
  );
}

/** A cell; on phones, where the header is hidden, it shows the name of its column. */
function Cell({ label, className = '', children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <td {...ROLES.cell} className={`block min-w-0 ${className}`}>
      <span aria-hidden className="block text-xs text-muted md:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}
