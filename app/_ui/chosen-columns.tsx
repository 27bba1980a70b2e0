'use client';

import { useTranslations } from 'use-intl/react';
import { ColumnChoice } from './column-choice.tsx';
import { type Hideable, splitColumns, useHiddenColumns } from './kept-columns.ts';

interface NamedColumn extends Hideable {
  readonly name: string;
}

/** The columns of a table that the reader chose, and the control to choose them; `kept` is the name under which this browser keeps it. */
export function useChosenColumns<Column extends NamedColumn>(kept: string | undefined, columns: readonly Column[]) {
  const t = useTranslations('common.table');
  const [hidden, hide] = useHiddenColumns(kept ?? '');
  const { choices, shown } = splitColumns(columns, hidden);
  const hiddenCount = columns.length - shown.length;
  return {
    shown,
    isShown: (key: string): boolean => shown.some((column) => column.key === key),
    choice: (
      <>
        {kept && <ColumnChoice columns={choices} hidden={hidden} onHide={hide} />}
        {hiddenCount > 0 && <p className="text-muted">{t('hidden', { count: hiddenCount })}</p>}
      </>
    ),
  };
}

/** What stands above a table, at its end: which columns it shows, and how it is saved. */
export const TABLE_TOOLS = 'flex flex-wrap items-center justify-end gap-2 empty:hidden print:hidden';

/** The same at the end of the line above the table, where that leaves room. */
export const TOOLS_BESIDE = `${TABLE_TOOLS} lg:-mt-12 lg:ml-auto lg:w-fit`;
