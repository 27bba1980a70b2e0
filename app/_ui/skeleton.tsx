import { clsx } from 'clsx';

/** A placeholder for content that is loading; the size comes from `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('block animate-breathe rounded-sm bg-line', className)} />;
}
