'use client';

import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { LocalLink } from './local-link.tsx';

export interface Crumb {
  readonly name: ReactNode;
  readonly href: string;
}

type BreadcrumbsProps = {
  label: string;
  /** The pages above, the highest first. */
  trail: readonly Crumb[];
  /** The name of this page. */
  here: ReactNode;
};

/** The way from the first page of a section to this one. */
export function Breadcrumbs({ label, trail, here }: BreadcrumbsProps) {
  return (
    <nav aria-label={label} className="text-sm print:hidden">
      <ol className="flex flex-wrap items-baseline gap-x-1 gap-y-2 text-muted">
        {trail.map(({ name, href }) => (
          <li key={href} className="flex min-w-0 items-baseline gap-x-1">
            <LocalLink href={href} className="-my-2 min-w-0 py-2 underline underline-offset-[0.2em] hover:text-ink">
              {name}
            </LocalLink>
            <ChevronRight aria-hidden className="size-4 shrink-0 self-center" />
          </li>
        ))}
        <li aria-current="page" className="min-w-0">
          {here}
        </li>
      </ol>
    </nav>
  );
}
