import type { ReactNode } from 'react';

/** A page with one message and no form. */
export function Notice({ title, picture, children }: { title: ReactNode; picture?: ReactNode; children: ReactNode }) {
  return (
    <section className="max-w-form space-y-4 pt-6 pb-20">
      {picture}
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** A section with what the person can do. */
export function Todo({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <>
      <h2 className="pt-2">{title}</h2>
      {children}
    </>
  );
}
