import type { ReactNode } from 'react';

/** A page with one message and no form. */
export function Notice({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="max-w-[38rem] space-y-4 pt-6 pb-20">
      <h1 className="text-2xl">{title}</h1>
      {children}
    </section>
  );
}

/** A section with what the person can do. */
export function Todo({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <>
      <h2 className="pt-2 text-xl">{title}</h2>
      {children}
    </>
  );
}
