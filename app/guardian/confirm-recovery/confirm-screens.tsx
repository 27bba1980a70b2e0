'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { Confirmations } from '../../_ui/shields.tsx';
import { When } from '../../_ui/when.tsx';
import { StepLink } from '../../_wizard/wizard.tsx';
import { LinkFor } from '../link-for.tsx';
import type { OpenRequest } from './confirm-recovery.tsx';

type Shown = { request: OpenRequest };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** The request: the identity, what a confirmation does, the deadline, and the confirmations so far. */
export function Requested({ request, picture }: Shown & { picture: ReactNode }) {
  const t = useTranslations('confirm');
  const shared = useTranslations('guardian');
  const { beo_domain: domain, role, guardian_key, confirmations, expires_at } = request;
  return (
    <Question title={t('ask.title', { domain })}>
      {picture}
      <LinkFor domain={domain} role={role} expectedKey={guardian_key} />
      <p className="text-lg">{t('ask.lead', { domain })}</p>
      <p>{t('ask.effect')}</p>
      <Alert>
        <p>{t('ask.anybody')}</p>
      </Alert>
      <Confirmations given={confirmations} needed={request.confirmations_needed} />
      <p>
        {t('ask.given', { confirmations })} {t.rich('ask.until', { when: (end) => <When at={expires_at}>{end}</When> })}
      </p>
      <Actions>
        <StepLink to="call">{shared('continue')}</StepLink>
        <StepLink to="stop" look="quiet">
          {t('doubt')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Asks the guardian to call the holder, which keeps strangers out. */
export function Call({ request }: { request: Pick<OpenRequest, 'beo_domain'> }) {
  const t = useTranslations('confirm');
  return (
    <Question title={t('call.title')}>
      <p className="text-lg">{t('call.lead', { domain: request.beo_domain })}</p>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('call.number', { b: bold })}</li>
        <li>{t.rich('call.voice', { b: bold })}</li>
        <li>{t.rich('call.words', { b: bold })}</li>
      </ol>
      <Actions>
        <StepLink to="words">{t('call.ready')}</StepLink>
        <StepLink to="stop" look="secondary">
          {t('call.cannot')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Advice for a guardian who is not sure. */
export function Stop({ request }: { request: Pick<OpenRequest, 'beo_domain' | 'expires_at'> }) {
  const t = useTranslations('confirm');
  return (
    <Question title={t('stop.title')}>
      <p className="text-lg">{t.rich('stop.body', { when: (end) => <When at={request.expires_at}>{end}</When> })}</p>
      <h2 className="pt-2">{t('stop.signs')}</h2>
      <ul className="list-disc space-y-1 pl-6">
        <li>{t('stop.signReach')}</li>
        <li>{t('stop.signVoice')}</li>
        <li>{t('stop.signHurry')}</li>
        <li>{t('stop.signWords')}</li>
      </ul>
      <p>{t('stop.tell', { domain: request.beo_domain })}</p>
      <Actions>
        <StepLink to="ask" look="secondary">
          {t('stop.again')}
        </StepLink>
      </Actions>
    </Question>
  );
}
