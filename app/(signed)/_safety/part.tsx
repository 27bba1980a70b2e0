import { clsx } from 'clsx';
import { createContext, type ReactNode, use } from 'react';

type PartsProps = {
  title?: ReactNode;
  /** For actions that cannot be undone. */
  danger?: boolean;
  children: ReactNode;
};

/** The level of the settings' names: below the title of their box, if it has one. */
const Level = createContext<'h2' | 'h3'>('h2');

/** A box of settings, one per line. */
export function Parts({ title, danger = false, children }: PartsProps) {
  return (
    <section className="max-w-prose space-y-3">
      {title && <h2>{title}</h2>}
      <div
        className={clsx(
          'divide-y divide-line rounded-lg border bg-surface *:px-4 *:py-3 sm:*:px-6 sm:*:py-4',
          danger ? 'border-danger-edge' : 'border-line',
        )}
      >
        <Level value={title ? 'h3' : 'h2'}>{children}</Level>
      </div>
    </section>
  );
}

type PartProps = {
  /** The fragment of the address. */
  id: string;
  /** Left out while the content has its own heading. */
  title?: ReactNode;
  /** Its state or its purpose, in a sentence. */
  what?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
};

/** A setting: its name and state, with an action beside it and the content of that action below. */
export function Part({ id, title, what, action, children }: PartProps) {
  const Name = use(Level);
  return (
    <div id={id} className="flex flex-col gap-4">
      {title && (
        // On a phone the action stands beside the name where both fit, and the sentence below them takes the width.
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-6 sm:gap-y-0">
          <Name className="mr-auto text-lg">{title}</Name>
          {what && (
            <div className="order-1 basis-full text-sm text-muted sm:order-none sm:col-start-1 sm:row-start-2">
              {what}
            </div>
          )}
          {action && (
            <div className="max-w-full shrink-0 empty:hidden max-sm:*:px-3.5 sm:col-start-2 sm:row-span-2 sm:row-start-1">
              {action}
            </div>
          )}
        </div>
      )}
      {children}
    </div>
  );
}

/** Announces a completed action. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="font-semibold text-accent-ink empty:hidden">
      {children}
    </p>
  );
}
