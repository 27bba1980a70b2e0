'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { ARRIVED } from '../../../_session/send.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import type { SelfConsent } from './self-consent.ts';

type SelfConsentOfferProps = {
  consent: SelfConsent;
  /** Why it is needed, where another reason applies than that nothing can be read without it. */
  why?: { readonly title: string; readonly body: string };
  /** Receives the id of the new consent. */
  onGiven?: (tokenId: string) => void;
};

/** Offers a holder a consent to read and export their own records, and shows what becomes public. Needs the messages of `scope`. */
export function SelfConsentOffer({ consent, why, onGiven }: SelfConsentOfferProps) {
  const t = useTranslations('scope.self');
  const { view } = useHolder();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const locked = view.status === 'LOCKED';

  const give = async () => {
    setSending(true);
    setFailure(null);
    const written = await consent.grant();
    setSending(false);
    if (written.ok && written.answer) onGiven?.(written.answer.token.token_id);
    else setFailure(written.ok ? ARRIVED : written.failure);
  };

  return (
    <Card className="space-y-4">
      <h2>{why?.title ?? t('title')}</h2>
      <p>{why?.body ?? t('why')}</p>
      <p>{t('public')}</p>
      {locked ? (
        <Alert tone="caution">
          <p>{t('locked')}</p>
        </Alert>
      ) : (
        <>
          <Refused failure={failure} />
          <Button size="large" onClick={give} busy={sending} className="w-full sm:w-auto">
            {sending ? t('giving') : t('give')}
          </Button>
        </>
      )}
    </Card>
  );
}
