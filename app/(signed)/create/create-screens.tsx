'use client';

import { Check, HandHeart, House, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { selfConsentFields } from '../../_session/self-consent-fields.ts';
import { useSession } from '../../_session/session.tsx';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { NavCard } from '../../_ui/nav-card.tsx';
import { Question } from '../../_ui/question.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';
import { useSubmission } from '../../_wizard/use-submission.ts';

type SendScreenProps = { domain: string; sending: boolean; failure: Failure | null; onSend: () => void };

export function SendScreen({ domain, sending, failure, onSend }: SendScreenProps) {
  const t = useTranslations('create.send');
  return (
    <SendStep
      title={t('title', { domain })}
      refused={
        <>
          <Refused failure={failure} />
          {failure && <p>{t('safe')}</p>}
        </>
      }
      sending={sending}
      yes={t('yes')}
      busy={t('sending')}
      onSend={onSend}
    >
      <p className="text-lg">{t('lead')}</p>
      <p>{t('signs', { domain })}</p>
      <p>{t('confirmed')}</p>
    </SendStep>
  );
}

/** The identity is created; the next steps. `required`: only confirmed guardians are eligible. */
export function DoneScreen({ domain, required }: { domain: string; required: boolean }) {
  const t = useTranslations('create.done');
  return (
    <Question title={t('title', { domain })}>
      <p className="text-lg">{t('lead')}</p>
      {!required && (
        <Alert tone="caution">
          <p>{t('open')}</p>
        </Alert>
      )}
      <SelfConsent />
      <h2 className="pt-2">{t('next')}</h2>
      <div className="space-y-3">
        <NavCard icon={Users} name={t('guardians')} what={t('guardiansWhat')} href="/me/guardians" />
        <NavCard icon={HandHeart} name={t('consent')} what={t('consentWhat')} href="/me/consents/new" />
        <NavCard icon={House} name={t('pages')} what={t('pagesWhat')} href="/me" />
      </div>
    </Question>
  );
}

/** Offers the new identity a consent to its own key, without which it cannot read its records. */
function SelfConsent() {
  const t = useTranslations('create.done.self');
  const { current } = useSession();
  const write = useWrite();
  const { sending, failure, submit } = useSubmission();
  const [given, setGiven] = useState(false);
  if (!current) return null;

  const give = async () => {
    const written = await submit(() => write('grantConsent', selfConsentFields(current.id)));
    setGiven(written?.ok === true);
  };

  return (
    <Card className="space-y-3">
      <h2 className="text-lg">{t('title')}</h2>
      <p role="status" className={given ? 'flex gap-2 font-semibold text-accent-ink' : 'sr-only'}>
        {given && (
          <>
            <Check aria-hidden className="mt-1 size-5 shrink-0" />
            {t('given')}
          </>
        )}
      </p>
      {!given && (
        <>
          <p>{t('body')}</p>
          <Refused failure={failure} />
          <Button look="secondary" onClick={() => void give()} busy={sending}>
            {t(sending ? 'giving' : 'give')}
          </Button>
        </>
      )}
    </Card>
  );
}
