'use client';

import { type ReactNode, useId } from 'react';

/** What a file has, each with a choice of what it is for this service. */
export function AssignList({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line rounded-lg border border-line bg-surface">{children}</ul>;
}

type AssignItemProps = {
  /** As in the file. */
  name: string;
  /** Below it: examples, or how often it occurs. */
  note: ReactNode;
  value: string;
  onChange: (value: string) => void;
  /** The option of an empty value. */
  none: string;
  /** The other options. */
  children: ReactNode;
};

export function AssignItem({ name, note, value, onChange, none, children }: AssignItemProps) {
  const id = useId();
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-2">
      <label htmlFor={id} className="min-w-0">
        <span className="block font-semibold wrap-anywhere" translate="no">
          {name}
        </span>
        <span className="block truncate text-sm text-muted">{note}</span>
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 text-ink hover:border-ink"
      >
        <option value="">{none}</option>
        {children}
      </select>
    </li>
  );
}
