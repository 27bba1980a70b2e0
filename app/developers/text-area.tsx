'use client';

import { CircleAlert } from 'lucide-react';
import { type ComponentProps, useId } from 'react';

type TextAreaProps = ComponentProps<'textarea'> & { label: string; hint: string; error?: string | null };

/** A text of several lines in a fixed-width font, with label, hint and error. */
export function TextArea({ label, hint, error = null, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-lg font-bold">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-muted">
        {hint}
      </p>
      {error && (
        <p id={`${id}-error`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
          <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{error}</span>
        </p>
      )}
      <textarea
        id={id}
        aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
        aria-invalid={error ? true : undefined}
        rows={7}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="mt-3 field-sizing-content max-h-144 min-h-44 w-full rounded-md border-2 border-edge bg-surface p-3 font-mono text-sm break-all text-ink hover:border-ink aria-invalid:border-danger-edge"
        {...rest}
      />
    </div>
  );
}
