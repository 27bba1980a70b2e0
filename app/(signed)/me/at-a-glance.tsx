'use client';

import { ChevronRight, HandHeart, type LucideIcon, Users } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { inForce, isOwn } from './consents/consents-in-force.ts';
import { type GuardiansStatus, isReady } from './guardians/status.ts';
import { useGranteeNames } from './use-grantee-names.ts';

/** So many institutions are named; the rest are counted. */
const NAMED = 2;

type AtAGlanceProps = {
  /** All of them; null until they are read. */
  consents: readonly TokenView[] | null;
  guardiansStatus: GuardiansStatus | null;
};

/** What needs no attention, a line each: the consents in force, and who could help to recover the key. */
export function AtAGlance({ consents, guardiansStatus }: AtAGlanceProps) {
  const t = useTranslations('overview');
  const scope = useTranslations('scope');
  const format = useFormatter();
  const given = consents?.filter((consent) => inForce(consent) && !isOwn(consent)) ?? [];
  const institutions = [...new Map(given.map((consent) => [consent.ieo_id, consent])).values()];
  const named = institutions.slice(0, institutions.length > NAMED + 1 ? NAMED : NAMED + 1);
  const nameOf = useGranteeNames(named);
  const names = named.map(nameOf);
  const more = institutions.length - named.length;
  return (
    <section aria-labelledby="glance" className="max-w-prose space-y-3">
      <h2 id="glance">{t('glance')}</h2>
      {consents && guardiansStatus ? (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
          <Line
            href="/me/consents"
            Icon={HandHeart}
            name={t('consents.count', { count: given.length })}
            what={more > 0 ? scope('many', { first: names.join(', '), count: more }) : format.list(names)}
          />
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

function Line({ href, Icon, name, what }: { href: string; Icon: LucideIcon; name: string; what?: string }) {
  return (
    <li>
      <LocalLink href={href} className="flex min-h-14 items-center gap-4 px-4 py-3 hover:bg-sunken sm:px-5">
        <Icon aria-hidden className="size-6 shrink-0 text-accent" />
        <span className="min-w-0 grow">
          <span className="block font-semibold">{name}</span>
          {what && <span className="line-clamp-2 text-sm break-words text-muted">{what}</span>}
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
      </LocalLink>
    </li>
  );
}
