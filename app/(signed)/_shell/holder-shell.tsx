'use client';

import { Download, Eye, HandHeart, HeartPulse, House, Share2, ShieldCheck, Users } from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { isCopyDue } from '../../_keys/identities.ts';
import { HolderProvider, useHolderView } from '../../_session/current.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';
import type { Place } from './frame.tsx';
import { Shell, useKept } from './shell.tsx';

/** Loaded while the identity is read. */
const loadNotices = async () => (await import('./notices.tsx')).HolderNotices;
const HolderNotices = deferred(loadNotices);
/** Loaded where the copy of a key is due. */
const CopyFirst = deferred(async () => (await import('../../_wizard/copy-first.tsx')).CopyFirst, <ScreenSkeleton />);

/** The page whose first step needs no identity: the server renders it. */
const BEGINS_EARLY = '/me/consents/new';
/** The pages that need the copy of the key once it is due. The others warn, or take rights away, and stay open. */
const NEEDS_COPY = /^\/me\/(records|export|consents\/new|shares\/new)/;

/** Surrounds the pages of a holder; without an identity in this browser it shows the empty state. */
export function HolderShell({ children }: { children: ReactNode }) {
  const kept = useKept('holder');
  const { view, error } = useHolderView(kept);
  const holder = view && kept ? { view, kept } : null;
  const path = usePathname();
  useLoadMeanwhile(loadNotices);
  const beginsEarly = path === BEGINS_EARLY;
  const isDue = kept && NEEDS_COPY.test(path) && isCopyDue(kept, Date.now());
  return (
    <Shell
      kind="holder"
      kept={kept}
      places={usePlaces()}
      status={view?.status}
      error={error}
      notices={view && kept && <HolderNotices view={view} kept={kept} stale={error !== null} />}
    >
      {(holder || beginsEarly) && (
        <HolderProvider holder={holder} error={error}>
          {isDue ? <CopyFirst why="days">{children}</CopyFirst> : children}
        </HolderProvider>
      )}
    </Shell>
  );
}

function usePlaces(): readonly Place[] {
  const t = useTranslations('dashboard.holder');
  return [
    { href: '/me', name: t('overview'), icon: House },
    { href: '/me/consents', name: t('consents'), icon: HandHeart },
    { href: '/me/records', name: t('records'), icon: HeartPulse },
    { href: '/me/guardians', name: t('guardians'), icon: Users },
    { href: '/me/shares', name: t('shares'), icon: Share2 },
    { href: '/me/access', name: t('access'), icon: Eye },
    { href: '/me/export', name: t('export'), icon: Download },
    { href: '/me/safety', also: ['/me/alerts', '/me/destroy', '/me/replace'], name: t('safety'), icon: ShieldCheck },
  ];
}
