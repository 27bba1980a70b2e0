'use client';

import { useMemo, useState } from 'react';

export interface SortableColumn<Row> {
  readonly key: string;
  /** What the rows are sorted by; absent where they cannot be. Rows without a value come last. */
  readonly sortBy?: (row: Row) => string | number | null;
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

/** The order that the reader chose. */
export interface SortChoice {
  /** Null for the order in which the rows came. */
  readonly sort: Sort | null;
  /** Sorts by a column; by the same again, in the other direction, and then not at all. An empty key: not at all. */
  readonly sortBy: (key: string) => void;
}

export interface Sorting<Row> extends SortChoice {
  readonly rows: readonly Row[];
}

export function useSortChoice(): SortChoice {
  const [sort, setSort] = useState<Sort | null>(null);
  const sortBy = (key: string) =>
    setSort((before) => {
      if (key === '') return null;
      if (before?.key !== key) return { key, descending: false };
      return before.descending ? null : { key, descending: true };
    });
  return { sort, sortBy };
}

/** Rows in the order that the reader chose; `kept` is that order where another hook needs it before the rows are read. */
export function useSorting<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  kept?: SortChoice,
): Sorting<Row> {
  const own = useSortChoice();
  const { sort, sortBy } = kept ?? own;
  const by = columns.find(({ key }) => key === sort?.key)?.sortBy;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `by` is a new function in every render
  const sorted = useMemo(() => (by && sort ? sortedRows(rows, by, sort.descending) : rows), [rows, sort]);
  return { rows: sorted, sort, sortBy };
}

export function sortedRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => string | number | null,
  descending: boolean,
): Row[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const valued = rows.map((row) => ({ row, value: by(row) }));
  return valued
    .sort(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      const order =
        typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
      return descending ? -order : order;
    })
    .map(({ row }) => row);
}
