'use client';

import { clsx } from 'clsx';
import { Check, CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { parseCollected } from '../../../../protocol/clinical/collected.ts';
import { isStructured } from '../../../../protocol/clinical/value.ts';
import { valueText } from '../../../../protocol/clinical/value-text.ts';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { ROLES } from '../../../_ui/table.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { WindowTable } from '../../../_ui/window-table.tsx';
import { offsetName } from '../../../_ui/zone.ts';
import { useBiomarkerNames } from './biomarker-field.tsx';
import { listedBiomarker } from './biomarkers.ts';
import { type ChangedCell, changedCells, rangeText, readRange } from './changed-cells.ts';
import type { FileColumn } from './file-columns.ts';
import type { ReviewedRow, RowState } from './file-summary.ts';
import type { CsvRow } from './read-csv.ts';
import type { RowProblem } from './row-problem.ts';
import { useProblemWords, useWarningWords } from './use-problem-words.ts';

const USUAL_PX = 65;
/** Beyond the row and its state: the measurement, the value and the time, which every row has. */
const WIDTHS = {
  plain: 'tabular:grid-cols-[6.5rem_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]',
  person: 'tabular:grid-cols-[6.5rem_minmax(0,1fr)_minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)]',
  range: 'tabular:grid-cols-[6.5rem_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,0.8fr)_minmax(0,1fr)]',
  both: 'tabular:grid-cols-[6.5rem_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,0.9fr)_minmax(0,0.7fr)_minmax(0,0.9fr)]',
};

type RowTableProps = {
  rows: readonly ReviewedRow[];
  /** Whether a column names the person of each row. */
  withPerson: boolean;
  /** Whether a column has the bounds of the reference range. */
  withRange: boolean;
  references: ReadonlyMap<string, string>;
};

/** The rows of a file as they were read; only those in the window are rendered. On phones each row is a card. */
export function RowTable({ rows, withPerson, withRange, references }: RowTableProps) {
  const t = useTranslations('institution.submit.preview');
  const field = useTranslations('institution.submit.field');
  const widths = WIDTHS[withPerson ? (withRange ? 'both' : 'person') : withRange ? 'range' : 'plain'];
  const columns = [
    t('row'),
    ...(withPerson ? [field('patient')] : []),
    field('biomarker'),
    field('value'),
    ...(withRange ? [t('range')] : []),
    field('collected_at'),
  ];
  return (
    <WindowTable
      caption={t('table')}
      head={
        <>
          {columns.map((name) => (
            <th
              key={name}
              scope="col"
              {...ROLES.columnheader}
              className="py-2 text-left text-sm font-semibold text-muted print:text-xs"
            >
              {name}
            </th>
          ))}
          <th scope="col" {...ROLES.columnheader} className="sr-only">
            {t('notes')}
          </th>
        </>
      }
      rows={rows}
      keyOf={({ row }) => String(row.row)}
      usualHeight={USUAL_PX}
      widths={widths}
      spacing="space-y-1 py-2.5 print:text-xs"
      cells={(reviewed) => (
        <RowCells reviewed={reviewed} withPerson={withPerson} withRange={withRange} references={references} />
      )}
    />
  );
}

type RowCellsProps = Pick<RowTableProps, 'withPerson' | 'withRange' | 'references'> & { reviewed: ReviewedRow };

function RowCells({ reviewed: { row, state }, withPerson, withRange, references }: RowCellsProps) {
  const t = useTranslations('institution.submit');
  const names = useBiomarkerNames();
  const { cells, record, consent } = row;
  const changed = changedCells(row);
  const change = (column: FileColumn) => changed.find((cell) => cell.column === column);
  const code = record.biomarker === undefined ? (cells.biomarker ?? '').trim() : String(record.biomarker);
  const name = listedBiomarker(code, names)?.name;
  const { value = null } = record;
  const shownValue = isStructured(value) ? valueText(value) : undefined;
  return (
    <>
      <th scope="row" {...ROLES.rowheader} className="flex justify-between gap-3 text-left font-normal tabular:block">
        <span className="block font-semibold tabular-nums">{t('sending.record', { row: row.row })}</span>
        <State state={state} />
      </th>
      {withPerson && (
        <Cell name={t('field.patient')}>
          <span translate="no">{consent ? personOf(consent, references) : cells.patient}</span>
        </Cell>
      )}
      <Cell name={t('field.biomarker')}>
        <span className="font-semibold">{name ?? code}</span>
        {name && <span className="block text-muted">{code}</span>}
        <InFile change={change('biomarker')} />
      </Cell>
      <Cell name={t('field.value')}>
        <span className="font-semibold">{shownValue ?? change('value')?.read ?? cells.value?.trim()}</span>{' '}
        {change('unit')?.read ?? cells.unit?.trim()}
        <InFile change={change('value')} />
        <InFile change={change('unit')} />
      </Cell>
      {withRange && (
        <Cell name={t('preview.range')}>
          <Range row={row} />
        </Cell>
      )}
      <Cell name={t('field.collected_at')}>
        <CollectedAt written={cells.collected_at?.trim() ?? ''} sent={String(record.collected_at)} />
        <InFile change={change('collected_at')} />
      </Cell>
      <td {...ROLES.cell} className="space-y-0.5 empty:hidden tabular:col-start-2 tabular:-col-end-1">
        <Notes row={row} others={changed.filter(({ column }) => !SHOWN.includes(column))} />
      </td>
    </>
  );
}

/** The columns of the range that the table shows. */
const SHOWN_RANGE = ['ref_low', 'ref_high', 'ref_range'] as const;

/** The columns of the table; what was changed in another one is in the notes. */
const SHOWN: readonly FileColumn[] = ['biomarker', 'value', 'unit', ...SHOWN_RANGE, 'collected_at'];

/** A cell; on phones, where the headers are hidden, it shows the name of its column. */
function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td {...ROLES.cell} className="grid min-w-0 grid-cols-[7.5rem_minmax(0,1fr)] tabular:block">
      <span aria-hidden className="text-muted tabular:hidden">
        {name}
      </span>
      <span className="block wrap-anywhere tabular-nums">{children}</span>
    </td>
  );
}

function InFile({ change }: { change: ChangedCell | undefined }) {
  const t = useTranslations('institution.submit.preview');
  return change && <span className="block text-muted">{t('inFile', { written: change.written })}</span>;
}

/** The reference range as it was read; as in the file, where it is another text there or cannot be read. */
function Range({ row: { cells, record, problems } }: { row: CsvRow }) {
  const t = useTranslations('institution.submit.preview');
  const written = writtenRange(cells);
  const isUnread = problems.some((problem) => 'column' in problem && SHOWN_RANGE.some((one) => one === problem.column));
  const read = isUnread ? '' : readRange(record);
  return (
    <>
      {read || written}
      {read !== '' && written !== '' && read !== written.replace(/\s*[-–]\s*/, '–') && (
        <span className="block text-muted">{t('inFile', { written })}</span>
      )}
    </>
  );
}

/** Empty for JSON, which says more than the table shows. */
function writtenRange({ ref_low, ref_high, ref_range = '' }: CsvRow['cells']): string {
  const bounds = rangeText(ref_low?.trim() ?? '', ref_high?.trim() ?? '');
  const printed = ref_range.trim().startsWith('{') ? '' : ref_range.trim();
  return [bounds, printed].filter(Boolean).join(' · ');
}

/** When a value was measured, with its zone; as in the file, where that cannot be read. */
function CollectedAt({ written, sent }: { written: string; sent: string }) {
  const dates = useDates();
  const collected = parseCollected(sent);
  if (collected === null) return written;
  const { at, day } = collected;
  return <time dateTime={sent}>{day === null ? `${dates.moment(at)} ${offsetName(at)}` : dates.day(day)}</time>;
}

const STATES: Readonly<Record<RowState, { readonly Icon: LucideIcon; readonly look: string }>> = {
  bad: { Icon: CircleAlert, look: 'text-danger-ink' },
  unusual: { Icon: TriangleAlert, look: 'text-caution-ink' },
  sentBefore: { Icon: TriangleAlert, look: 'text-caution-ink' },
  good: { Icon: Check, look: 'text-accent-ink' },
  done: { Icon: Check, look: 'text-muted' },
};

function State({ state }: { state: RowState }) {
  const t = useTranslations('institution.submit.preview.state');
  const { Icon, look } = STATES[state];
  return (
    <span className={clsx('inline-flex items-start gap-1 font-semibold', look)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(state)}
    </span>
  );
}

/** What is wrong with a row, what is unusual about it, and other cells that were read as another text. */
function Notes({ row: { record, problems, warnings }, others }: { row: CsvRow; others: readonly ChangedCell[] }) {
  const t = useTranslations('institution.submit');
  const words = useProblemWords();
  const warningWords = useWarningWords();
  return (
    <>
      {problems.map((problem) => (
        <p key={words(problem)} className="font-semibold text-danger-ink">
          {words(problem)}
          {isAboutCode(problem) && <CatalogueLink code={null} />}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warningWords(warning)} className="font-semibold text-caution-ink">
          {warningWords(warning)}
          {(warning.kind === 'unit' || warning.kind === 'unlisted') && (
            <CatalogueLink code={warning.kind === 'unit' ? String(record.biomarker) : null} />
          )}
        </p>
      ))}
      {others.map(({ column, read, written }) => (
        <p key={column} className="text-muted">
          {t('preview.otherCell', { column: t(`field.${column}`), read, written })}
        </p>
      ))}
    </>
  );
}

function personOf(
  { beo_id: id, beo_domain: domain }: NonNullable<CsvRow['consent']>,
  references: ReadonlyMap<string, string>,
) {
  const reference = references.get(id);
  return reference ? `${reference} · ${domain}` : domain;
}

const isAboutCode = (problem: RowProblem) => problem.kind === 'cell' && problem.problem === 'code';

/** Opens the catalogue in a new tab: this page holds what was read from the file. */
function CatalogueLink({ code }: { code: string | null }) {
  const t = useTranslations('institution.submit.warning');
  return (
    <>
      {' '}
      <LocalLink
        href={`/catalogue${code ? `#${code}` : ''}`}
        target="_blank"
        className={`${textLink} font-normal whitespace-nowrap`}
      >
        {t('catalogue')}
      </LocalLink>
    </>
  );
}
