import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type NothingYetProps = { icon: LucideIcon; title: string; children: ReactNode };

/** Takes the place of an empty list among others: what will be in it, and what brings it there. */
export const NothingYet = ({ icon: Icon, title, children }: NothingYetProps) => (
  <div className="flex max-w-prose gap-4 rounded-lg border-2 border-dashed border-line px-5 py-4">
    <Icon aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
    <div className="min-w-0">
      <p className="font-semibold">{title}</p>
      <p className="text-sm text-muted">{children}</p>
    </div>
  </div>
);
