'use client';

import { Download, Eye, HandHeart, HeartPulse, House, ShieldCheck, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../session/identities.ts';
import { useSession } from '../session/session.tsx';
import { failureOf } from '../trpc/failure.ts';
import { Refused } from '../trpc/refused.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { HolderProvider, useHolderView } from './current.tsx';
import { Frame, type Place, Who } from './frame.tsx';
import { LockButton } from './lock-button.tsx';
import { Nobody } from './nobody.tsx';
import { HolderNotices } from './notices.tsx';
import { Opening } from './opening.tsx';
import { StateBadge } from './state-badge.tsx';

/** What is around the pages of a holder. Without a known identity there is nothing to show. */
export function HolderShell({ children }: { children: ReactNode }) {
  const { identities } = useSession();
  const places = usePlaces();
  if (!identities) return <Opening kind="holder" places={places} />;
  const kept = identities.find(({ kind }) => kind === 'holder');
  return kept ? (
    <Holder key={kept.id} kept={kept}>
      {children}
    </Holder>
  ) : (
    <Nobody kind="holder" />
  );
}

function Holder({ kept, children }: { kept: KeptIdentity; children: ReactNode }) {
  const { data: view, error } = useHolderView(kept);
  const places = usePlaces();
  return (
    <Frame
      places={places}
      head={
        <Who domain={kept.domain} state={view && <StateBadge status={view.status} />}>
          {view && view.status !== 'DESTROYED' && (
            <LockButton kind="holder" id={kept.id} domain={kept.domain} locked={view.status === 'LOCKED'} />
          )}
        </Who>
      }
      notices={view && <HolderNotices view={view} kept={kept} stale={error !== null} />}
    >
      {view ? (
        <HolderProvider view={view} kept={kept} error={error}>
          {children}
        </HolderProvider>
      ) : error ? (
        <Refused failure={failureOf(error)} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Frame>
  );
}

function usePlaces(): readonly Place[] {
  const t = useTranslations('dashboard.holder');
  return [
    { href: '/me', name: t('overview'), icon: House },
    { href: '/me/consents', name: t('consents'), icon: HandHeart },
    { href: '/me/records', name: t('records'), icon: HeartPulse },
    { href: '/me/guardians', name: t('guardians'), icon: Users },
    { href: '/me/access', name: t('access'), icon: Eye },
    { href: '/me/export', name: t('export'), icon: Download },
    { href: '/me/safety', also: '/me/destroy', name: t('safety'), icon: ShieldCheck },
  ];
}
