'use client';

import { useId } from 'react';

type SearchFieldProps = { label: string; placeholder?: string; value: string; onChange: (value: string) => void };

/** A search field that filters a list; as high as a Select. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        className="mt-1 min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-3 text-ink placeholder:text-muted hover:border-ink"
      />
    </div>
  );
}
