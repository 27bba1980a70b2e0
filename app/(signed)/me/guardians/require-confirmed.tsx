'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { Actions, Question, StepLink } from '../../../_ui/question.tsx';
import type { Flow } from './flow.ts';
import { GuardianRefused } from './guardian-refused.tsx';

/** What requireConfirmedGuardians does and what it cannot, before it is signed for good. */
export function RequireConfirmed({ beoId, standing, steps, focus, sending, onDone }: Flow) {
  const t = useTranslations('myGuardians.require');
  const stop = standing.places.filter(({ state, counts }) => state === 'accepted' && counts).length;

  const require = () => {
    void sending.send('requireConfirmedGuardians', { beoId }, () => onDone({ kind: 'required' }));
  };

  return (
    <Question title={t('title')} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      <p>{t('why')}</p>
      {stop > 0 && <p className="font-semibold">{t('stop', { count: stop })}</p>}
      <h2 className="pt-2 text-xl">{t('limitTitle')}</h2>
      <p>{t('limit')}</p>
      <p className="font-semibold">{t('public')}</p>
      <GuardianRefused failure={sending.failure} />
      <Actions>
        <Button size="large" onClick={require} aria-disabled={sending.sending} className="aria-disabled:opacity-60">
          {t(sending.sending ? 'sending' : 'yes')}
        </Button>
        <StepLink steps={steps} to="list" look="secondary">
          {t('no')}
        </StepLink>
      </Actions>
    </Question>
  );
}
