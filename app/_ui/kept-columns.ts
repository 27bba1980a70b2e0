import { useState } from 'react';
import { useBrowser } from './use-browser.ts';

const STORED = 'perpetua-hidden-columns';

type HiddenColumns = Readonly<Partial<Record<string, readonly string[]>>>;

/** The columns that the reader has hidden in a table, kept in this browser; they say nothing of its contents. */
export function useHiddenColumns(table: string): readonly [readonly string[], (hidden: readonly string[]) => void] {
  const isInBrowser = useBrowser();
  const [chosen, setHidden] = useState<readonly string[] | null>(null);
  // What the server renders has every column.
  const hidden = chosen ?? (isInBrowser ? stored()[table] : null) ?? [];
  const hide = (columns: readonly string[]) => {
    setHidden(columns);
    try {
      localStorage.setItem(STORED, JSON.stringify({ ...stored(), [table]: columns }));
    } catch {
      // Without storage, the choice holds for this visit.
    }
  };
  return [hidden, hide];
}

function stored(): HiddenColumns {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return hiddenIn(kept);
  } catch {
    return {};
  }
}

/** What another version stored may have another form. */
export const hiddenIn = (kept: unknown): HiddenColumns =>
  typeof kept === 'object' && kept !== null
    ? Object.fromEntries(
        Object.entries(kept).map(([table, columns]) => [
          table,
          Array.isArray(columns) ? columns.filter((column) => typeof column === 'string') : [],
        ]),
      )
    : {};

export interface Hideable {
  readonly key: string;
  /** Whether the column cannot be hidden. */
  readonly isFixed?: boolean;
}

/** The columns of a table that are shown, and those that the reader may hide: not the first, which every row needs. */
export function splitColumns<Column extends Hideable>(all: readonly Column[], hidden: readonly string[]) {
  const choices = all.filter(({ isFixed }, position) => position > 0 && !isFixed);
  return { choices, shown: all.filter((column) => !choices.includes(column) || !hidden.includes(column.key)) };
}
