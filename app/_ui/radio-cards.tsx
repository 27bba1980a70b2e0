'use client';

import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { useBrowser } from './use-browser.ts';

type RadioCardsProps<Value extends string> = {
  legend: string;
  options: readonly { readonly value: Value; readonly name: string; readonly what?: string }[];
  chosen: Value | null;
  error?: string | undefined;
  onChoose: (value: Value) => void;
};

/** A choice of one, each with a sentence; no default, and disabled until the scripts run. */
export function RadioCards<Value extends string>({ legend, options, chosen, error, onChoose }: RadioCardsProps<Value>) {
  const id = useId();
  const isReady = useBrowser();
  return (
    <fieldset disabled={!isReady} aria-describedby={error ? `${id}-error` : undefined} className="min-w-0 space-y-3">
      <legend className="text-lg font-bold">{legend}</legend>
      {error && (
        <p id={`${id}-error`} className="flex gap-2 font-semibold text-danger-ink">
          <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
          {error}
        </p>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {options.map(({ value, name, what }) => (
          <label
            key={value}
            className="flex cursor-pointer gap-4 rounded-lg border-2 border-edge bg-surface p-4 hover:border-ink hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={id}
              autoComplete="off"
              checked={chosen === value}
              onChange={() => onChoose(value)}
              aria-invalid={error ? true : undefined}
              className="mt-1 size-5 shrink-0 accent-accent"
            />
            <span className="min-w-0">
              <span className="block font-bold first-letter:uppercase">{name}</span>
              {what && <span className="block text-muted">{what}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
