'use client';

import { BookOpenText, Building2, Download, FileUp, HandHeart, History, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { InstitutionProvider, useInstitutionView } from '../../_session/current.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';
import type { Place } from './frame.tsx';
import { Shell, useKept } from './shell.tsx';

/** Loaded while the institution is read. */
const loadNotices = async () => (await import('./notices.tsx')).InstitutionNotices;
const InstitutionNotices = deferred(loadNotices);

/** Surrounds the pages of an institution. */
export function InstitutionShell({ children }: { children: ReactNode }) {
  const kept = useKept('institution');
  const { view, error } = useInstitutionView(kept);
  useLoadMeanwhile(loadNotices);
  return (
    <Shell
      kind="institution"
      kept={kept}
      places={usePlaces()}
      status={view?.status}
      error={error}
      notices={view && kept && <InstitutionNotices view={view} kept={kept} stale={error !== null} />}
    >
      {view && kept && (
        <InstitutionProvider view={view} kept={kept} error={error}>
          {children}
        </InstitutionProvider>
      )}
    </Shell>
  );
}

function usePlaces(): readonly Place[] {
  const t = useTranslations('dashboard.institution');
  return [
    { href: '/institution', name: t('overview'), icon: Building2 },
    { href: '/institution/consents', name: t('consents'), icon: HandHeart },
    { href: '/institution/submit', name: t('submit'), icon: FileUp },
    { href: '/institution/read', name: t('read'), icon: BookOpenText },
    { href: '/institution/export', name: t('export'), icon: Download },
    { href: '/institution/submissions', name: t('submissions'), icon: History },
    {
      href: '/institution/settings',
      also: ['certification', 'key', 'leave', 'destroy', 'replace'].map((name) => `/institution/${name}`),
      name: t('settings'),
      icon: Settings,
    },
  ];
}
