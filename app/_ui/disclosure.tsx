import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Folded content with a title. */
export function Disclosure({
  title,
  children,
  className,
}: {
  title: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <details className={className}>
      <summary className="-ml-1 inline-flex min-h-11 cursor-pointer list-none items-center gap-1 rounded-sm px-1 font-medium text-accent hover:text-accent-strong [details[open]>&>svg]:rotate-90">
        <ChevronRight aria-hidden className="size-4 shrink-0" />
        {title}
      </summary>
      {children}
    </details>
  );
}
