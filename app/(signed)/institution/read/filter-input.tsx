'use client';

import { type ComponentProps, useId } from 'react';

type FilterInputProps = ComponentProps<'input'> & { label: string; error?: string | undefined };

/** An input in a row of filters, as high as a Select. */
export function FilterInput({ label, error, ...input }: FilterInputProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger-ink">
          {error}
        </p>
      )}
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className="mt-1 min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 text-ink placeholder:text-muted hover:border-ink aria-invalid:border-danger-edge"
        {...input}
      />
    </div>
  );
}
