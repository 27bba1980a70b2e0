'use client';

import { useTranslations } from 'use-intl/react';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';

type SendScreenProps = {
  domain: string;
  sending: boolean;
  failure: Failure | null;
  onSend: () => void;
  onAnotherDomain: () => void;
};

export function SendScreen({ domain, sending, failure, onSend, onAnotherDomain }: SendScreenProps) {
  const t = useTranslations('register.send');
  const refused =
    failure?.code === 'DOMAIN_TAKEN' ? (
      <div role="alert">
        <Alert tone="danger">
          <p>{t('taken', { domain })}</p>
          <Button look="secondary" className="mt-3" onClick={onAnotherDomain}>
            {t('anotherDomain')}
          </Button>
        </Alert>
      </div>
    ) : (
      <Refused failure={failure} />
    );
  return (
    <SendStep
      title={t('title', { domain })}
      refused={refused}
      sending={sending}
      yes={t('yes')}
      busy={t('sending', { domain })}
      onSend={onSend}
    >
      <p>{t('lead')}</p>
    </SendStep>
  );
}
