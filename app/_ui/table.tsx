import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type TableProps = { caption: string; columns: readonly string[]; children: ReactNode };

/** Some browsers drop the table semantics when `display` changes; these roles restore them. */
export const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/** A table; on phones each row is a card. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <table
      {...ROLES.table}
      className="block w-full border-separate border-spacing-0 tabular:table tabular:text-(length:--row-text) tabular:leading-normal"
    >
      <caption className="sr-only">{caption}</caption>
      <thead {...ROLES.rowgroup} className="sr-only tabular:not-sr-only tabular:table-header-group">
        <tr {...ROLES.row}>
          {columns.map((column) => (
            <th
              key={column}
              {...ROLES.columnheader}
              scope="col"
              className="border-b-2 border-ink py-2 pr-4 text-left text-sm font-semibold text-muted"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.rowgroup} className="block space-y-4 tabular:table-row-group">
        {children}
      </tbody>
    </table>
  );
}

type TableRowProps = {
  isNew?: boolean;
  /** The columns, gaps and padding of its card on phones, as classes. */
  card?: string;
  children: ReactNode;
};

/** One row; `isNew` animates it. */
export function TableRow({
  isNew = false,
  card = 'grid-cols-[8.25rem_1fr] gap-y-3 px-5 py-4',
  children,
}: TableRowProps) {
  return (
    <tr
      {...ROLES.row}
      className={clsx(
        card,
        'grid gap-x-3 rounded-lg border border-line bg-surface max-[16rem]:block max-[16rem]:space-y-2 max-[16rem]:px-3',
        'tabular:table-row tabular:p-0 tabular:rounded-none tabular:border-0 tabular:bg-transparent',
        isNew && 'animate-arrive',
      )}
    >
      {children}
    </tr>
  );
}

const cell =
  'block tabular:table-cell tabular:border-b tabular:border-line tabular:h-(--row-height) tabular:py-1 tabular:pr-4 tabular:align-middle tabular:leading-snug';

/** The header cell of a row, and on phones of its card. */
export function TableHead({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th {...ROLES.rowheader} scope="row" className={clsx(cell, 'col-span-2 text-left', className ?? 'font-normal')}>
      {children}
    </th>
  );
}

/** A cell; on phones, where the header is hidden, it shows the name of its column. */
export function TableCell({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  return (
    <td {...ROLES.cell} className={clsx(cell, className)}>
      {label && (
        <span aria-hidden className="block text-xs text-muted tabular:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}
