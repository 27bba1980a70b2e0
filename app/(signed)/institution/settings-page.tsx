'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { LocalLink } from '../../_ui/local-link.tsx';

const PAGES = [
  ['settings', '/institution/settings'],
  ['certification', '/institution/certification'],
  ['key', '/institution/key'],
  ['leave', '/institution/leave'],
] as const;

export type SettingsName = (typeof PAGES)[number][0];

/** One of the pages of settings, with links to the others. */
export function SettingsPage({ name, children }: { name: SettingsName; children: ReactNode }) {
  const t = useTranslations('institution.settings');
  const path = usePathname();
  return (
    <div className="space-y-6">
      <nav aria-label={t('pages')}>
        <ul className="flex flex-wrap gap-x-4 border-b sm:gap-x-6 border-line">
          {PAGES.map(([page, href]) => (
            <li key={page}>
              <LocalLink
                href={href}
                aria-current={path.endsWith(href) ? 'page' : undefined}
                className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent font-semibold text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-accent-ink"
              >
                {t(`page.${page}`)}
              </LocalLink>
            </li>
          ))}
        </ul>
      </nav>
      <h1>{t(`page.${name}`)}</h1>
      <div className="max-w-prose space-y-6">{children}</div>
    </div>
  );
}
