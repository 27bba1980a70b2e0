'use client';

import { useId } from 'react';
import { useBrowser } from './use-browser.ts';

type TickListProps = {
  legend: string;
  hint: string;
  options: readonly (readonly [value: string, name: string])[];
  ticked: readonly string[];
  onTick: (ticked: readonly string[]) => void;
};

/** A choice of several; disabled until the scripts run. */
export function TickList({ legend, hint, options, ticked, onTick }: TickListProps) {
  const id = useId();
  const isReady = useBrowser();
  return (
    <fieldset disabled={!isReady} aria-describedby={`${id}-hint`}>
      <legend className="text-lg font-bold">{legend}</legend>
      <p id={`${id}-hint`} className="text-muted">
        {hint}
      </p>
      <div className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {options.map(([value, name]) => (
          <div key={value} className="flex items-start gap-3">
            <input
              id={`${id}-${value}`}
              type="checkbox"
              autoComplete="off"
              checked={ticked.includes(value)}
              onChange={({ target }) =>
                onTick(target.checked ? [...ticked, value] : ticked.filter((other) => other !== value))
              }
              className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
            />
            <label htmlFor={`${id}-${value}`} className="min-h-11 cursor-pointer py-2 first-letter:uppercase">
              {name}
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
