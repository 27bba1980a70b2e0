'use client';

import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { LocalLink } from './local-link.tsx';

/** The look of every link back, above the heading. */
export const backLook =
  '-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm px-1 text-sm underline decoration-1 underline-offset-[0.2em] hover:decoration-2 print:hidden';

/** The link back to another page, named by its title. */
export function BackTo({ href, children }: { href: string; children: ReactNode }) {
  return (
    <LocalLink href={href} className={backLook}>
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </LocalLink>
  );
}
