import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A card that is loading: its title and some lines. */
export function CardSkeleton({ lines = 2 }: { lines?: number }) {
  return (
    <Card className="space-y-4">
      <Skeleton className="h-6 w-1/2" />
      {numbered(lines).map((line) => (
        <Skeleton key={line} className="h-4 w-full last:w-2/3" />
      ))}
    </Card>
  );
}

/** A list or table that is loading: rows of two lines. */
export function RowsSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div aria-hidden className="divide-y divide-line rounded-lg border border-line bg-surface">
      {numbered(rows).map((row) => (
        <div key={row} className="space-y-2.5 px-4 py-4 sm:px-5">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}

/** A dense table that is loading. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div aria-hidden className="divide-y divide-line border-t-2 border-line">
      {numbered(rows).map((row) => (
        <div key={row} className="flex h-11 items-center gap-6">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="h-4 w-1/4" />
        </div>
      ))}
    </div>
  );
}

/** A screen of several steps that is loading: its heading, text and button. */
export function ScreenSkeleton() {
  return (
    <div aria-hidden className="space-y-5 pt-4">
      <Skeleton className="h-9 w-3/4" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-5/6" />
      <Skeleton className="h-13 w-full rounded-md sm:w-56" />
    </div>
  );
}

/** The pictures of consents that are loading. */
export function PictureSkeleton() {
  return (
    <div aria-hidden className="space-y-5 border-y border-line py-4">
      {numbered(3).map((part) => (
        <div key={part} className="flex items-center gap-3">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      ))}
    </div>
  );
}

/** Numbered words that are loading. */
export function WordsSkeleton({ words = 6 }: { words?: number }) {
  return (
    <div aria-hidden className="grid grid-cols-1 gap-x-8 gap-y-4 py-2 sm:grid-cols-2">
      {numbered(words).map((word) => (
        <Skeleton key={word} className="h-7 w-40" />
      ))}
    </div>
  );
}
