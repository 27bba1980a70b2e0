'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from './button.tsx';

/** How much of a list is read. */
interface Extent {
  readonly isComplete: boolean;
  readonly isReading: boolean;
  readonly loadMore: (() => void) | null;
}

type ListExtentProps = {
  list: Extent;
  /** The number of rows that are shown, of those that are read. */
  shown: number;
  read: number;
  /** The number of all rows, where it is known. */
  total?: number | undefined;
};

/** Says how many rows of a list are shown, and whether that is all of it. */
export function ListExtent({ list: { isComplete, isReading }, shown, read, total }: ListExtentProps) {
  const t = useTranslations('common.table');
  const isReadingMore = isReading && !isComplete;
  return (
    <p role="status" className="text-muted tabular-nums">
      {isReadingMore && t('reading', { read })}
      {!isReadingMore && isComplete && t('shown', { shown, all: read })}
      {!isReadingMore &&
        !isComplete &&
        (total === undefined ? t('newest', { shown }) : t('shown', { shown, all: total }))}
    </p>
  );
}

/** Reads more of a list. */
export function MoreOf({ list: { isReading, isComplete, loadMore } }: Pick<ListExtentProps, 'list'>) {
  const t = useTranslations('common.table');
  if (isComplete) return null;
  return (
    <Button look="secondary" busy={isReading} disabled={!loadMore} onClick={() => loadMore?.()}>
      {t('more')}
    </Button>
  );
}
