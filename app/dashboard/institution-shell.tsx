'use client';

import { BookOpenText, Building2, FileUp, HandHeart, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../session/identities.ts';
import { useSession } from '../session/session.tsx';
import { failureOf } from '../trpc/failure.ts';
import { Refused } from '../trpc/refused.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { InstitutionProvider, useInstitutionView } from './current.tsx';
import { Frame, type Place, Who } from './frame.tsx';
import { LockButton } from './lock-button.tsx';
import { Nobody } from './nobody.tsx';
import { InstitutionNotices } from './notices.tsx';
import { Opening } from './opening.tsx';
import { StateBadge } from './state-badge.tsx';

/** What is around the pages of an institution. */
export function InstitutionShell({ children }: { children: ReactNode }) {
  const { identities } = useSession();
  const places = usePlaces();
  if (!identities) return <Opening kind="institution" places={places} />;
  const kept = identities.find(({ kind }) => kind === 'institution');
  return kept ? (
    <Institution key={kept.id} kept={kept}>
      {children}
    </Institution>
  ) : (
    <Nobody kind="institution" />
  );
}

function Institution({ kept, children }: { kept: KeptIdentity; children: ReactNode }) {
  const { data: view, error } = useInstitutionView(kept);
  const places = usePlaces();
  const lockable = view?.status === 'ACTIVE' || view?.status === 'LOCKED';
  return (
    <Frame
      places={places}
      head={
        <Who domain={kept.domain} state={view && <StateBadge status={view.status} />}>
          {lockable && (
            <LockButton kind="institution" id={kept.id} domain={kept.domain} locked={view.status === 'LOCKED'} />
          )}
        </Who>
      }
      notices={view && <InstitutionNotices view={view} kept={kept} stale={error !== null} />}
    >
      {view ? (
        <InstitutionProvider view={view} kept={kept} error={error}>
          {children}
        </InstitutionProvider>
      ) : error ? (
        <Refused failure={failureOf(error)} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Frame>
  );
}

function usePlaces(): readonly Place[] {
  const t = useTranslations('dashboard.institution');
  return [
    { href: '/institution', name: t('overview'), icon: Building2 },
    { href: '/institution/consents', name: t('consents'), icon: HandHeart },
    { href: '/institution/submit', name: t('submit'), icon: FileUp },
    { href: '/institution/read', name: t('read'), icon: BookOpenText },
    { href: '/institution/settings', also: '/institution/destroy', name: t('settings'), icon: Settings },
  ];
}
