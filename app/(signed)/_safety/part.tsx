import type { ReactNode } from 'react';
import { Card } from '../../_ui/card.tsx';

type PartProps = {
  /** What an address can point at. */
  id: string;
  /** Left out while something is being done that has headings of its own. */
  title?: ReactNode;
  children: ReactNode;
};

/** One thing that can be done about a key, on a page with others. */
export function Part({ id, title, children }: PartProps) {
  return (
    <Card id={id} className="max-w-[46rem] space-y-4">
      {title && <h2 className="text-xl">{title}</h2>}
      {children}
    </Card>
  );
}

/** What has been done, said once. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="font-semibold text-accent-ink empty:hidden">
      {children}
    </p>
  );
}
