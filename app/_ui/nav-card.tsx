'use client';

import { ChevronRight } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { LocalLink } from './local-link.tsx';

type NavCardProps = {
  icon: ComponentType<{ 'aria-hidden': true; className?: string }>;
  name: ReactNode;
  what: ReactNode;
  href: string;
};

/** A large link with a sentence. */
export function NavCard({ icon: Icon, name, what, href }: NavCardProps) {
  return (
    <LocalLink
      href={href}
      className="flex w-full items-center gap-4 rounded-lg border-2 border-edge bg-surface p-4 transition-colors duration-150 hover:border-ink hover:bg-sunken sm:p-5"
    >
      <Icon aria-hidden className="size-7 shrink-0 text-accent" />
      <span className="min-w-0 grow">
        <span className="block text-lg font-bold">{name}</span>
        <span className="block text-muted">{what}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </LocalLink>
  );
}
