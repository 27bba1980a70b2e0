'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../session/identities.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Frame, type Place, placeAt } from './frame.tsx';
import { Nobody } from './nobody.tsx';

/** Until it is read whose pages these are: what is around them, or where this browser is said to know nobody, that. */
export function Opening({ kind, places }: { kind: IdentityKind; places: readonly Place[] }) {
  const t = useTranslations('dashboard');
  const here = placeAt(places, usePathname());
  return (
    <>
      <div className="hidden known:block unscripted:hidden">
        <Frame places={places} head={<Skeleton className="h-36 w-full" />} notices={null}>
          <div className="space-y-5">
            <h1 className="text-2xl">{here?.name}</h1>
            <p className="max-w-[38rem] text-lg text-muted">{t('opening')}</p>
            <Skeleton className="h-72 w-full" />
          </div>
        </Frame>
      </div>
      <div className="known:hidden">
        <Nobody kind={kind} />
      </div>
    </>
  );
}
