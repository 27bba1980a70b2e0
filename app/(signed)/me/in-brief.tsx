'use client';

import { ChevronRight, HandHeart, type LucideIcon, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { CertificationMarkOf } from '../../_trpc/certification-mark-of.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { inForce, isOwn } from './consents/consents-in-force.ts';
import { type GuardiansStatus, isReady } from './guardians/status.ts';
import { useGranteeNames } from './use-grantee-names.ts';

/** So many institutions are named; the rest are counted. */
const NAMED = 2;

type InBriefProps = {
  /** All of them; null until they are read. */
  consents: readonly TokenView[] | null;
  guardiansStatus: GuardiansStatus | null;
};

/** What needs no attention, a line each: the consents in force, and who could help to recover the key. */
export function InBrief({ consents, guardiansStatus }: InBriefProps) {
  const t = useTranslations('overview');
  const given = consents?.filter((consent) => inForce(consent) && !isOwn(consent)) ?? [];
  const institutions = [...new Map(given.map((consent) => [consent.ieo_id, consent])).values()];
  const named = institutions.slice(0, institutions.length > NAMED + 1 ? NAMED : NAMED + 1);
  const nameOf = useGranteeNames(named);
  const more = institutions.length - named.length;
  return (
    <section aria-labelledby="in-brief" className="max-w-prose space-y-3">
      <h2 id="in-brief">{t('inBrief')}</h2>
      {consents && guardiansStatus ? (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
          <Line href="/me/consents" Icon={HandHeart} name={t('consents.count', { count: given.length })}>
            <ul className="text-sm text-muted empty:hidden">
              {named.map((consent) => (
                <li key={consent.ieo_id} className="break-words">
                  {nameOf(consent)}{' '}
                  <span className="relative z-1">
                    <CertificationMarkOf id={consent.ieo_id} />
                  </span>
                </li>
              ))}
              {more > 0 && <li>{t('consents.more', { count: more })}</li>}
            </ul>
          </Line>
          {isReady(guardiansStatus) && (
            <Line href="/me/guardians" Icon={Users} name={t(`recovery.readiness.${guardiansStatus.readiness}`)} />
          )}
        </ul>
      ) : (
        <RowsSkeleton rows={2} />
      )}
    </section>
  );
}

type LineProps = { href: string; Icon: LucideIcon; name: string; children?: ReactNode };

function Line({ href, Icon, name, children }: LineProps) {
  return (
    <li className="relative flex items-start gap-4 px-4 py-4 has-[a:hover]:bg-sunken sm:px-5">
      <Icon aria-hidden className="size-6 shrink-0 text-accent" />
      <div className="min-w-0 grow">
        <LocalLink href={href} className="font-semibold after:absolute after:inset-0">
          {name}
        </LocalLink>
        {children}
      </div>
      <ChevronRight aria-hidden className="size-5 shrink-0 self-center text-muted" />
    </li>
  );
}
