import type { ReactNode } from 'react';

/** The buttons of a screen: below each other and as wide as a phone, beside each other where there is room. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
