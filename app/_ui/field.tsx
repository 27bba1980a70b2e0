'use client';

import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useImperativeHandle, useLayoutEffect, useRef } from 'react';

type FieldProps = Omit<ComponentProps<'input'>, 'children' | 'onChange'> & {
  /** Receives the text; also called for what was typed before the scripts ran. */
  onType?: (text: string) => void;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Is placed at the end of the row, such as the submit button. */
  action?: ReactNode;
};

/** A text input with label, hint and error, connected for screen readers. */
export function Field({ label, hint, error, action, id: given, ref, onType, ...input }: FieldProps) {
  const own = useId();
  const id = given ?? own;
  const element = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => element.current as HTMLInputElement, []);

  // Hydration keeps the text of a field without calling onChange.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field is taken over
  useLayoutEffect(() => {
    const text = element.current?.value ?? '';
    if (input.value !== undefined && text !== input.value) onType?.(text);
  }, []);

  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div>
      <label htmlFor={id} className="block text-lg font-bold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
          <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      <div className="mt-3 flex flex-col gap-3 sm:flex-row">
        <input
          ref={element}
          id={id}
          onChange={onType && ((event) => onType(event.target.value))}
          aria-describedby={described}
          aria-invalid={error ? true : undefined}
          className="min-h-13 w-full min-w-0 grow rounded-md border-2 border-edge bg-surface px-4 text-lg text-ink placeholder:text-muted hover:border-ink aria-invalid:border-danger-edge"
          {...input}
        />
        {action}
      </div>
    </div>
  );
}
