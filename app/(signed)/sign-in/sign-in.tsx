'use client';

import { Building2, KeyRound, LifeBuoy, ShieldCheck, UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { MayBeCleared } from '../../_keys/may-be-cleared.tsx';
import { useSession } from '../../_session/session.tsx';
import { NavCard } from '../../_ui/nav-card.tsx';
import { CardSkeleton } from '../../_ui/skeletons.tsx';
import { KnownIdentity } from './known-identity.tsx';

/** The identities in this browser, and links to bring or create one. */
export function SignIn() {
  const t = useTranslations('signIn');
  const { identities } = useSession();
  if (identities.state === 'read') return <Ways identities={identities.value} />;
  const isUnreadable = identities.state === 'unreadable';
  return (
    <>
      <div className={isUnreadable ? undefined : 'hidden known:block unscripted:hidden'}>
        <h1>{t('title')}</h1>
        <p className="mt-3 mb-8 text-lg">{t('lead')}</p>
        <div className="max-w-prose">
          <CardSkeleton lines={2} />
        </div>
        <p className="mt-8 max-w-prose text-muted">{t('noAccount')}</p>
      </div>
      {!isUnreadable && (
        <div className="known:hidden">
          <Ways identities={[]} />
        </div>
      )}
    </>
  );
}

function Ways({ identities }: { identities: readonly KeptIdentity[] }) {
  const t = useTranslations('signIn');
  const known = identities.length > 0;

  return (
    <div className="max-w-prose space-y-8">
      <div className="space-y-3">
        <h1>{t(known ? 'title' : 'first')}</h1>
        <p className="text-lg">{t(known ? 'lead' : 'firstLead')}</p>
      </div>
      {known && (
        <section aria-labelledby="known" className="space-y-4">
          <h2 id="known">{t('known.title')}</h2>
          {identities.map((identity, index) => (
            <KnownIdentity key={identity.id} identity={identity} isFirst={index === 0} />
          ))}
          <MayBeCleared />
        </section>
      )}
      <section aria-labelledby="ways" className="space-y-4">
        <h2 id="ways" className={known ? '' : 'sr-only'}>
          {t('ways.title')}
        </h2>
        <NavCard icon={KeyRound} name={t('ways.bring')} what={t('ways.bringWhat')} href="/sign-in/bring" />
        <NavCard icon={UserRoundPlus} name={t('ways.create')} what={t('ways.createWhat')} href="/create" />
        <NavCard icon={Building2} name={t('ways.register')} what={t('ways.registerWhat')} href="/register" />
        <NavCard icon={ShieldCheck} name={t('ways.guard')} what={t('ways.guardWhat')} href="/guardian" />
        <NavCard icon={LifeBuoy} name={t('ways.recover')} what={t('ways.recoverWhat')} href="/recover" />
      </section>
      <p className="text-muted">{t('noAccount')}</p>
    </div>
  );
}
