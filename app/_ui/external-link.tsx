'use client';

import { clsx } from 'clsx';
import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { textLink } from './text-link.ts';

/** A link to another site, without referrer and opener. */
export function ExternalLink({ href, children, className }: { href: string; children: ReactNode; className?: string }) {
  const t = useTranslations('common');
  return (
    <a href={href} rel="noopener noreferrer external" className={clsx(textLink, className)}>
      {children}
      <ArrowUpRight aria-hidden className="ml-0.5 inline size-4 align-[-0.1em]" />
      <span className="sr-only"> {t('leavesThisSite')}</span>
    </a>
  );
}
