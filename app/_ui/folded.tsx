import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type FoldedProps = {
  /** Of the popover. */
  id: string;
  /** On the button that opens it on a phone. */
  title: string;
  /** How high it is on a desktop, and whether it scrolls there. */
  className: string;
  children: ReactNode;
};

/** Content that is always there on a desktop, and on a phone in a popover, which needs no scripts. */
export function Folded({ id, title, className, children }: FoldedProps) {
  return (
    <div className="print:hidden">
      <Button look="secondary" className="lg:hidden" popoverTarget={id}>
        {title}
      </Button>
      <div
        id={id}
        popover="auto"
        className={clsx(
          'm-auto w-[min(40rem,92vw)] rounded-lg border border-edge bg-surface p-4 text-ink shadow-lg max-lg:max-h-[85svh] max-lg:overflow-y-auto',
          'lg:static lg:m-0 lg:block lg:w-auto lg:rounded-none lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none',
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
