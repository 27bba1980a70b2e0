'use client';

import { clsx } from 'clsx';
import { usePathname } from 'next/navigation';
import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';

type FoldedProps = {
  /** On the button that opens it on a phone. */
  title: string;
  /** How high it is on a desktop, and whether it scrolls there. */
  className: string;
  children: ReactNode;
};

/** Content that is always there on a desktop, and on a phone in a popover, which needs no scripts. */
export function Folded({ title, className, children }: FoldedProps) {
  const id = useId();
  const path = usePathname();
  return (
    <div className="print:hidden">
      <Button look="secondary" className="lg:hidden" popoverTarget={id}>
        {title}
      </Button>
      <div
        // Another page begins with it closed.
        key={path}
        id={id}
        popover="auto"
        className={clsx(
          'm-auto max-lg:max-h-[85svh] max-lg:overflow-y-auto w-[min(40rem,92vw)] rounded-lg border border-edge bg-surface p-4 text-ink shadow-lg',
          'lg:static lg:m-0 lg:block lg:w-auto lg:rounded-none lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none',
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
