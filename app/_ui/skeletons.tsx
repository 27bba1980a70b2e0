'use client';

import { useTranslations } from 'use-intl/react';
import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** What is coming, in words; without any, that something is. */
type WordsProps = { words?: string | undefined };

/** A shape alone says nothing to a reader who waits, and a screen reader skips it: words stand above each. */
export function LoadingWords({ words }: WordsProps) {
  const t = useTranslations('common');
  return <p className="text-muted">{words ?? t('loading')}</p>;
}

/** A card that is loading. */
export function CardSkeleton({ lines = 2, words }: WordsProps & { lines?: number }) {
  return (
    <Card className="space-y-4">
      <LoadingWords words={words} />
      {numbered(lines).map((line) => (
        <Skeleton key={line} className="h-4 w-full last:w-2/3" />
      ))}
    </Card>
  );
}

/** A list or table that is loading: rows of two lines. */
export function RowsSkeleton({ rows = 3, words }: WordsProps & { rows?: number }) {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface">
      {numbered(rows).map((row) => (
        <div key={row} className="space-y-2.5 px-4 py-4 sm:px-5">
          {row === 0 ? <LoadingWords words={words} /> : <Skeleton className="h-5 w-2/5" />}
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}

/** A dense table that is loading. */
export function TableSkeleton({ rows = 6, words }: WordsProps & { rows?: number }) {
  return (
    <div className="space-y-2">
      <LoadingWords words={words} />
      <div aria-hidden className="divide-y divide-line border-t-2 border-line">
        {numbered(rows - 1).map((row) => (
          <div key={row} className="flex h-11 items-center gap-6">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-1/5" />
            <Skeleton className="h-4 w-1/4" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A screen of several steps that is loading: its text and button. */
export function ScreenSkeleton({ words }: WordsProps) {
  return (
    <div className="space-y-5 pt-4">
      <LoadingWords words={words} />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-5/6" />
      <Skeleton className="h-13 w-full rounded-md sm:w-56" />
    </div>
  );
}

/** Numbered words that are loading. */
export function WordsSkeleton({ words: count = 6 }: { words?: number }) {
  return (
    <div className="space-y-3">
      <LoadingWords />
      <div aria-hidden className="grid grid-cols-1 gap-x-8 gap-y-4 py-2 sm:grid-cols-2">
        {numbered(count).map((word) => (
          <Skeleton key={word} className="h-7 w-40" />
        ))}
      </div>
    </div>
  );
}
