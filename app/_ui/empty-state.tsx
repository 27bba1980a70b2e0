import type { ReactNode } from 'react';
import { deferred } from './deferred.tsx';

/** Most lists are not empty. */
const EmptyTray = deferred(
  async () => (await import('./pictures/empty-tray.tsx')).EmptyTray,
  <div className="mx-auto aspect-3/2 w-40 max-w-full" />,
);

type EmptyStateProps = {
  title: ReactNode;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Takes the place of a list that is empty. */
export const EmptyState = ({ title, children }: EmptyStateProps) => (
  <div className="space-y-3 rounded-lg border-2 border-dashed border-line px-6 py-8 text-center">
    <EmptyTray className="mx-auto w-40" />
    <h2 className="text-lg">{title}</h2>
    {children}
  </div>
);
