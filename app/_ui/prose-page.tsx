import type { ReactNode } from 'react';
import { SiteMap } from './site-footer.tsx';

/** A public page of running text. */
export function ProsePage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <>
      <div className="page pt-10 pb-16 sm:pt-14">
        <div className="max-w-prose">
          <h1>{title}</h1>
          <p className="mt-4 text-lg text-muted">{lead}</p>
          {children}
        </div>
      </div>
      <SiteMap />
    </>
  );
}

export function ProseSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2>{title}</h2>
      <div className="mt-2">{children}</div>
    </section>
  );
}
