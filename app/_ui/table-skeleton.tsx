import { Skeleton } from './skeleton.tsx';

/** A placeholder for a table that is loading, of as many rows as it will probably have. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className="divide-y divide-line border-t-2 border-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={row} className="flex h-11 items-center gap-6">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="h-4 w-1/4" />
        </div>
      ))}
    </div>
  );
}
