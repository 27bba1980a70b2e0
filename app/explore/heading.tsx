import type { ReactNode } from 'react';

type HeadingProps = { kind: string; title: ReactNode; badge?: ReactNode; children?: ReactNode };

/** The kind, the name and the status of an entity. */
export function Heading({ kind, title, badge, children }: HeadingProps) {
  return (
    <div className="mb-6">
      <p className="font-semibold text-muted">{kind}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 break-words">{title}</h1>
        {badge}
      </div>
      {children && <div className="mt-3 max-w-prose text-lg">{children}</div>}
    </div>
  );
}
