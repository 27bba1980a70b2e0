'use client';

import { type ReactNode, useId } from 'react';

type OptionProps = {
  type: 'radio' | 'checkbox';
  name: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** A tap or click answers the question. Keys only change the answer: arrow keys pass over the others. */
  onPick?: () => void;
  title: ReactNode;
  what?: ReactNode;
  /** Why it cannot be chosen. */
  why?: ReactNode;
  compact?: boolean;
};

/** An option, or the reason why it cannot be chosen. */
export function Option({ type, name, checked, onChange, onPick, title, what, why, compact = false }: OptionProps) {
  const id = useId();
  const impossible = why !== undefined && why !== null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key changes the answer without going on; Enter goes on
    <label
      // A click that a key causes has no detail.
      onClick={({ detail }) => detail > 0 && !impossible && onPick?.()}
      className={`flex gap-3 rounded-md border-2 border-edge bg-surface px-4 has-checked:border-accent has-checked:bg-accent-soft ${
        compact ? 'min-h-11 py-2' : 'min-h-13 py-3'
      } ${impossible ? 'border-dashed' : 'cursor-pointer hover:border-ink'}`}
    >
      <input
        type={type}
        name={name}
        checked={checked}
        disabled={impossible}
        // Otherwise the whole label is the name, and the description is announced twice.
        aria-labelledby={`${id}-title`}
        aria-describedby={what || impossible ? `${id}-what` : undefined}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-1 size-5 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span id={`${id}-title`} className={`block first-letter:uppercase ${compact ? '' : 'text-lg font-semibold'}`}>
          {title}
        </span>
        {(what || impossible) && (
          <span id={`${id}-what`} className="block text-sm text-muted">
            {impossible ? why : what}
          </span>
        )}
      </span>
    </label>
  );
}
