'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export const SITE_MENU = 'site-menu';

/** A menu at the end of the header. A popover, so that it opens without scripts, and Escape or a press beside it closes it. */
export function SiteMenu({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  const path = usePathname();
  return (
    <>
      <Button look="quiet" size="icon" aria-label={label} popoverTarget={SITE_MENU}>
        {icon}
      </Button>
      <div
        // Another page begins with the menu closed; a menu that was opened before the scripts arrived stays open.
        key={path}
        id={SITE_MENU}
        popover="auto"
        className="absolute inset-auto top-14 right-[max(0.5rem,calc((100vw-var(--container-page))/2))] m-0 max-h-[calc(100svh-4rem)] w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-edge bg-surface p-2 text-ink shadow-lg"
      >
        {children}
      </div>
    </>
  );
}
