import { clsx } from 'clsx';

/** Holds the place of something that is being fetched; the size comes from `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('block animate-breathe rounded-sm bg-line', className)} />;
}
