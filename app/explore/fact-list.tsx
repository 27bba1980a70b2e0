import type { ReactNode } from 'react';

/** A list of facts. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-y border-line">{children}</dl>;
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-baseline tabular:py-1.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 break-words tabular:[&_button]:size-9 tabular:[&_button]:min-h-9">{children}</dd>
    </div>
  );
}
