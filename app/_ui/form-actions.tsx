import type { ReactNode } from 'react';

/** The buttons of a form: stacked on a phone, side by side on wider screens. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3 sm:flex-row">{children}</div>;
}
