'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../../../_session/session.tsx';
import { Alert } from '../../../../_ui/alert.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import { PassOnLink } from '../../../../_ui/pass-on-link.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { useDates } from '../../../../_ui/use-dates.ts';
import type { MadeShare } from './use-making.ts';

/** The last screen: the link, which is shown only here, and while the key is open. */
export function ShareLink({ made: { link, share }, passcode }: { made: MadeShare; passcode: string | null }) {
  const t = useTranslations('shares.made');
  const dates = useDates();
  const { isOpen, signer } = useSession();
  if (!isOpen) {
    return (
      <Screen title={t('title')} heading="h1" focus className="max-w-form space-y-5 pb-12">
        <p className="text-lg">{t('locked')}</p>
        <Button size="large" onClick={() => void signer()}>
          {t('unlock')}
        </Button>
      </Screen>
    );
  }
  return (
    <Screen title={t('title')} heading="h1" focus className="max-w-form space-y-5 pb-12">
      <p className="text-lg">{t('until', { time: dates.moment(share.expires_at), count: share.max_openings })}</p>
      <Alert tone="caution" title={t('onceTitle')}>
        <p>{t('once')}</p>
      </Alert>
      <PassOnLink
        link={link}
        name={share.label}
        message={t('message', { time: dates.moment(share.expires_at) })}
        large
      />
      {passcode !== null && (
        <div className="space-y-1">
          <h2 className="text-lg">{t('passcode')}</h2>
          <p className="font-mono text-xl break-all" translate="no">
            {passcode}
          </p>
          <p>{t('passcodeHow')}</p>
        </div>
      )}
      <Button asChild look="secondary" size="large">
        <LocalLink href="/me/shares">{t('toShares')}</LocalLink>
      </Button>
    </Screen>
  );
}
