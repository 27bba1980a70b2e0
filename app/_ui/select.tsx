'use client';

import { type ComponentProps, useId } from 'react';

/** One of a few values, under its label. */
export function Select({ label, children, ...rest }: ComponentProps<'select'> & { label: string }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <select
        id={id}
        className="mt-1 min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 text-ink hover:border-ink"
        {...rest}
      >
        {children}
      </select>
    </div>
  );
}
