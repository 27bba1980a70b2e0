'use client';

import { clsx } from 'clsx';
import { type ReactNode, useMemo, useRef } from 'react';
import { ROLES } from './table.tsx';
import { useWindowRows } from './use-window-rows.ts';

type WindowTableProps<Row> = {
  caption: string;
  /** The header cells. */
  head: ReactNode;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The height of a row on a desktop in px, until the first is measured. */
  usualHeight: number;
  /** The widths of the columns, as a class: `tabular:grid-cols-[…]`. */
  widths?: string;
  /** The same as a value of `grid-template-columns`, where it changes. */
  tracks?: string | undefined;
  /** The space in and between the cells of a row, as a class. */
  spacing: string;
  /** The cells of a row, the first of which is its header. */
  cells: (row: Row) => ReactNode;
};

const GRID = 'tabular:grid tabular:gap-x-4 print:gap-x-2!';

/** A table of which only the rows in the window are rendered, all when it is printed. On phones each row is a card. */
export function WindowTable<Row>({
  caption,
  head,
  rows,
  keyOf,
  usualHeight,
  widths,
  tracks,
  spacing,
  cells,
}: WindowTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { virtual, above } = useWindowRows({ list: body, rows, keyOf, usualHeight, likeFirst: true });
  return (
    <table {...ROLES.table} aria-rowcount={rows.length + 1} className="block w-full">
      <caption className="sr-only">{caption}</caption>
      <thead
        {...ROLES.rowgroup}
        className="sr-only tabular:not-sr-only tabular:sticky tabular:top-0 tabular:z-1 tabular:block tabular:bg-ground print:static print:break-after-avoid"
      >
        <tr
          {...ROLES.row}
          className={clsx(GRID, widths, 'tabular:items-center tabular:border-b-2 tabular:border-ink tabular:px-2')}
          style={{ gridTemplateColumns: tracks }}
        >
          {head}
        </tr>
      </thead>
      <tbody
        ref={body}
        {...ROLES.rowgroup}
        className="relative block print:h-auto!"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                {...ROLES.row}
                aria-rowindex={index + 2}
                className={clsx(
                  GRID,
                  widths,
                  'absolute inset-x-0 top-0 block border-b border-line px-2 text-sm hover:bg-sunken tabular:space-y-0 print:static print:transform-none! print:break-inside-avoid',
                  spacing,
                )}
                style={{ gridTemplateColumns: tracks, transform: `translateY(${start - above}px)` }}
              >
                <Drawn row={row} cells={cells} />
              </tr>
            )
          );
        })}
      </tbody>
    </table>
  );
}

type DrawnProps<Row> = { row: Row } & Pick<WindowTableProps<Row>, 'cells'>;

/** Memoized: scrolling does not change a row. */
function Drawn<Row>({ row, cells }: DrawnProps<Row>) {
  return useMemo(() => cells(row), [row, cells]);
}
