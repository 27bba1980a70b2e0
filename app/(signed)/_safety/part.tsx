import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type PartsProps = {
  title?: ReactNode;
  /** For actions that cannot be undone. */
  danger?: boolean;
  children: ReactNode;
};

/** A box of settings, one per line. */
export function Parts({ title, danger = false, children }: PartsProps) {
  return (
    <section className="max-w-prose space-y-3">
      {title && <h2>{title}</h2>}
      <div
        className={clsx(
          'divide-y divide-line rounded-lg border bg-surface *:px-5 *:py-4 sm:*:px-6',
          danger ? 'border-danger-edge' : 'border-line',
        )}
      >
        {children}
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
  return (
    <div id={id} className="space-y-4">
      {title && (
        <div className="flex flex-col gap-x-6 gap-y-3 sm:flex-row sm:items-center sm:justify-between">
          <div className="min-w-0">
            <h2 className="text-lg">{title}</h2>
            {what && <div className="text-sm text-muted">{what}</div>}
          </div>
          {action && <div className="flex shrink-0 flex-col *:w-full">{action}</div>}
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
