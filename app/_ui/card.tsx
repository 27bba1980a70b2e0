import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** A bordered box. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={clsx('rounded-lg border border-line bg-surface p-5 sm:p-7', className)} {...rest} />;
}
