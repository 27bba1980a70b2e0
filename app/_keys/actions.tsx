import type { ReactNode } from 'react';

/** The buttons of a screen: stacked on a phone, side by side on wider screens. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
