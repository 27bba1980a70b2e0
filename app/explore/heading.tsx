'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Breadcrumbs, type Crumb } from '../_ui/breadcrumbs.tsx';

type HeadingProps = {
  kind: string;
  /** The pages above this one, below that of the explorer. */
  above?: readonly Crumb[];
  title: ReactNode;
  badge?: ReactNode;
  children?: ReactNode;
};

/** The way to an entity, its kind, name and status. */
export function Heading({ kind, above = [], title, badge, children }: HeadingProps) {
  const t = useTranslations('explore');
  return (
    <div className="mb-6">
      <Breadcrumbs label={t('crumbs')} trail={[{ name: t('title'), href: '/explore' }, ...above]} here={kind} />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 break-words">{title}</h1>
        {badge}
      </div>
      {children && <div className="mt-3 max-w-prose text-lg">{children}</div>}
    </div>
  );
}
