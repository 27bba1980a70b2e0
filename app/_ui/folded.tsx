import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type FoldedProps = { title: string; isOpen?: boolean; className?: string; children: ReactNode };

/** Content that is folded on a phone and always there on a desktop; without scripts too. An older browser folds it everywhere. */
export function Folded({ title, isOpen = false, className, children }: FoldedProps) {
  return (
    <details open={isOpen} className={clsx('lg:details-content:[content-visibility:visible] print:hidden', className)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium text-accent lg:supports-[selector(::details-content)]:hidden">
        {title}
      </summary>
      {children}
    </details>
  );
}
