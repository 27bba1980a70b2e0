import type { ReactNode } from 'react';
import { Card } from '../../_ui/card.tsx';

type PartProps = {
  /** The fragment of the address. */
  id: string;
  /** Left out while the content has its own heading. */
  title?: ReactNode;
  children: ReactNode;
};

/** A section of a page of settings. */
export function Part({ id, title, children }: PartProps) {
  return (
    <Card id={id} className="max-w-prose space-y-4">
      {title && <h2>{title}</h2>}
      {children}
    </Card>
  );
}

/** Announces what has been done. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="font-semibold text-accent-ink empty:hidden">
      {children}
    </p>
  );
}
