'use client';

import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl/react';
import { TABLE_TOOLS, useChosenColumns } from './chosen-columns.tsx';
import { deferred } from './deferred.tsx';
import { SaveCsv } from './save-csv.tsx';
import { TableSkeleton } from './skeletons.tsx';
import type { SortableColumn, Sorting } from './sorting.ts';
import { ROLES } from './table.tsx';
import { useLoadMeanwhile } from './use-load-ahead.ts';

export interface DataColumn<Row> extends SortableColumn<Row> {
  readonly name: string;
  /** Holds for the whole column, such as the zone of its times. */
  readonly note?: string;
  readonly cell: (row: Row) => ReactNode;
  /** A track of `grid-template-columns`; `minmax(0,1fr)` by default. */
  readonly width?: string;
  /** The whole text of a cell that may be cut off. */
  readonly title?: (row: Row) => string;
  /** For what a row must not be read without: the column cannot be hidden. */
  readonly isFixed?: boolean;
}

type DataTableProps<Row> = {
  caption: string;
  /** The first is the header of each row. */
  columns: readonly DataColumn<Row>[];
  sorting: Sorting<Row>;
  keyOf: (row: Row) => string;
  /** The name under which this browser keeps which columns are shown; without one, all are. */
  kept?: string;
  /** Saves the rows as a file, in their order. */
  onSave?: () => void;
  /** Whether the rest of the rows is being read in order to be saved. */
  isSaving?: boolean;
  /** Rows grow with their texts; otherwise each is one line, and longer texts are cut off. */
  wraps?: boolean;
  /** A last column with a name for screen readers, whose cells may span the row. */
  end?: { readonly name: string; readonly width: string; readonly cells: (row: Row) => ReactNode };
};

/** Loaded while the rows are read. It has the places of the rows, because a part that is loaded later has no type parameter. */
const loadTable = async () => (await import('./window-table.tsx')).WindowTable<number>;
const PlacedRows = deferred(loadTable, <TableSkeleton />);

/** Loads the table meanwhile: for the page that reads its rows. */
export const useTableAhead = () => useLoadMeanwhile(loadTable);

/** So few rows need no sorting on a phone. */
const FEW = 3;
/** The height of a row on a desktop, in px, where rows are compact. */
const ROW_PX = 36;

/** A dense table that can be sorted; only the rows in the window are rendered. On phones each row is a compact card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns: all, sorting, keyOf, kept, onSave, isSaving = false, wraps = false, end } = props;
  const { rows } = sorting;
  const { shown: columns, choice } = useChosenColumns(kept, all);
  const at = <Result,>(place: number, of: (row: Row) => Result, none: Result): Result => {
    const row = rows[place];
    return row === undefined ? none : of(row);
  };
  const tracks = [...columns.map(({ width = 'minmax(0,1fr)' }) => width), ...(end ? [end.width] : [])].join(' ');
  return (
    <>
      <div className={TABLE_TOOLS}>
        {rows.length > FEW && <SortSelect columns={columns} sorting={sorting} />}
        {onSave && <SaveCsv onSave={onSave} busy={isSaving} />}
        {choice}
      </div>
      <PlacedRows
        caption={caption}
        head={
          <>
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} sorting={sorting} wraps={wraps} />
            ))}
            {end && (
              <th scope="col" {...ROLES.columnheader}>
                <span className="sr-only">{end.name}</span>
              </th>
            )}
          </>
        }
        rows={rows.map((_, place) => place)}
        keyOf={(place) => at(place, keyOf, String(place))}
        usualHeight={ROW_PX}
        tracks={tracks}
        spacing={clsx(
          'space-y-0.5 py-2 tabular:items-center [&_:focus-visible]:-outline-offset-2',
          wraps ? 'tabular:min-h-(--row-height) tabular:py-1' : 'tabular:h-(--row-height) tabular:py-0',
        )}
        cells={(place) =>
          at(
            place,
            (row) => (
              <>
                {columns.map((column, position) => (
                  <Cell key={column.key} column={column} row={row} isHead={position === 0} wraps={wraps} />
                ))}
                {end?.cells(row)}
              </>
            ),
            null,
          )
        }
      />
    </>
  );
}

type HeadProps<Row> = { column: DataColumn<Row>; sorting: Sorting<Row>; wraps: boolean };

function ColumnHead<Row>({
  column: { key, name, note, sortBy },
  sorting: { sort, sortBy: sortByKey },
  wraps,
}: HeadProps<Row>) {
  const isSorted = sort?.key === key;
  const Icon = !isSorted ? ArrowUpDown : sort.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      {...ROLES.columnheader}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : sortBy ? 'none' : undefined}
      className="min-w-0 text-left text-sm font-semibold text-muted"
    >
      {/* On phones the header is for screen readers only: nothing that takes the focus. */}
      {sortBy && <span className="tabular:hidden">{name}</span>}
      {sortBy ? (
        <button
          type="button"
          onClick={() => sortByKey(key)}
          className="-ml-1 inline-flex not-tabular:hidden min-h-11 max-w-full cursor-pointer items-center gap-0.5 rounded-sm px-1 hover:text-ink"
        >
          <span className="min-w-0 text-left leading-tight">
            <span className={clsx('block', !wraps && 'truncate')}>{name}</span>
            {note && <span className="block truncate text-xs font-normal">{note}</span>}
          </span>
          <Icon
            aria-hidden
            className={clsx('size-3.5 shrink-0 print:hidden', isSorted ? 'text-accent' : 'opacity-60')}
          />
        </button>
      ) : (
        <span className="flex min-h-11 items-center leading-tight">{name}</span>
      )}
    </th>
  );
}

type CellProps<Row> = { column: DataColumn<Row>; row: Row; isHead: boolean; wraps: boolean };

function Cell<Row>({ column: { name, note, cell, title }, row, isHead, wraps }: CellProps<Row>) {
  const content = cell(row);
  const text = clsx('block', !wraps && 'tabular:truncate');
  if (isHead) {
    return (
      <th scope="row" {...ROLES.rowheader} title={title?.(row)} className="block min-w-0 text-left font-semibold">
        <span className={text}>{content}</span>
      </th>
    );
  }
  return (
    <td
      {...ROLES.cell}
      title={title?.(row)}
      className={clsx(
        'min-w-0 grid grid-cols-[7rem_minmax(0,1fr)] items-baseline max-[16rem]:block tabular:block',
        content === null && 'not-tabular:hidden',
      )}
    >
      <span className="text-muted tabular:hidden" aria-hidden>
        {name}
        {note && <span className="block text-xs">{note}</span>}
      </span>
      <span className={text}>{content}</span>
    </td>
  );
}

/** On phones, where the headers are hidden. */
function SortSelect<Row>({ columns, sorting: { sort, sortBy } }: Pick<DataTableProps<Row>, 'columns' | 'sorting'>) {
  const t = useTranslations('common.table');
  const id = useId();
  return (
    <div className="flex w-full items-center gap-2 tabular:hidden">
      <label htmlFor={id} className="text-sm font-semibold">
        {t('sortBy')}
      </label>
      <select
        id={id}
        value={sort?.key ?? ''}
        onChange={({ target }) => sortBy(target.value)}
        className="min-h-11 min-w-0 grow rounded-md border-2 border-edge bg-surface px-2 text-ink"
      >
        <option value="">{t('unsorted')}</option>
        {columns.map(
          ({ key, name, sortBy: by }) =>
            by && (
              <option key={key} value={key}>
                {name}
              </option>
            ),
        )}
      </select>
      {sort && (
        <button
          type="button"
          aria-label={t('reverse')}
          onClick={() => sortBy(sort.key)}
          className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-md border-2 border-edge"
        >
          {sort.descending ? <ArrowDown aria-hidden className="size-5" /> : <ArrowUp aria-hidden className="size-5" />}
        </button>
      )}
    </div>
  );
}
