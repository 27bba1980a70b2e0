'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { LocalLink } from '../_ui/local-link.tsx';

/** A line of the navigation; that of the page which is open is marked. */
export function PageLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <LocalLink
        href={href}
        // On a phone it is in a popover.
        onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.()}
        aria-current={usePathname() === href ? 'page' : undefined}
        className="block border-l-2 border-transparent py-1 underline-offset-[0.2em] hover:underline aria-[current]:border-accent aria-[current]:pl-2 aria-[current]:font-semibold"
      >
        {children}
      </LocalLink>
    </li>
  );
}
