'use client';

import { useTranslations } from 'use-intl/react';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';
import { PublicFacts } from './public-facts.tsx';
import type { Registration } from './register-flow.ts';

type SendScreenProps = {
  registration: Registration;
  sending: boolean;
  failure: Failure | null;
  onSend: () => void;
  onChange: () => void;
};

/** Everything that becomes public, and the button that registers it. */
export function SendScreen({ registration, sending, failure, onSend, onChange }: SendScreenProps) {
  const t = useTranslations('register.send');
  const change = useTranslations('register.public')('change');
  const { domain } = registration;
  const refused =
    failure?.code === 'DOMAIN_TAKEN' ? (
      <div role="alert">
        <Alert tone="danger">
          <p>{t('taken', { domain })}</p>
          <Button look="secondary" className="mt-3" onClick={onChange}>
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
      other={
        <Button look="secondary" size="large" onClick={onChange} disabled={sending}>
          {change}
        </Button>
      }
    >
      <PublicFacts registration={registration} />
      <p className="font-semibold">{t('lead')}</p>
    </SendStep>
  );
}
