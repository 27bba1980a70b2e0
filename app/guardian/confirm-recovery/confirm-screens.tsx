'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Actions, Question, Refusal } from '../../_ui/question.tsx';
import { Confirmations } from '../../_ui/shields.tsx';
import { When } from '../../_ui/when.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';
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

type LastQuestionProps = Shown & {
  /** As last read. */
  confirmations: number;
  sending: boolean;
  refused: string | null;
  onConfirm: () => void;
};

export function LastQuestion({ request, confirmations, sending, refused, onConfirm }: LastQuestionProps) {
  const t = useTranslations('confirm');
  const { beo_domain: domain, confirmations_needed } = request;
  return (
    <SendStep
      title={t('confirm.title', { domain })}
      refused={<Refusal code={refused} />}
      sending={sending}
      yes={t('confirm.yes')}
      busy={t('confirm.sending')}
      onSend={onConfirm}
      other={
        <StepLink to="stop" look="secondary" disabled={sending}>
          {t('confirm.no')}
        </StepLink>
      }
    >
      <p>{t('confirm.checked', { domain })}</p>
      <p className="font-semibold">
        {confirmations + 1 < confirmations_needed ? t('confirm.first') : t('confirm.second')}
      </p>
      <p>{t('confirm.public')}</p>
    </SendStep>
  );
}

/** What the server returned for a confirmation. */
export interface Outcome {
  readonly confirmations: number;
  readonly executed: boolean;
}

/** The outcome: recovered, or waiting for another guardian. */
export function Done({ request, outcome }: Shown & { outcome: Outcome }) {
  const t = useTranslations('confirm');
  const { beo_domain: domain, confirmations_needed: needed, expires_at } = request;
  if (outcome.executed) {
    return (
      <Question title={t('done.executedTitle', { domain })}>
        <Confirmations given={needed} needed={needed} />
        <p className="text-lg">{t('done.executed')}</p>
        <p>{t('done.executedTodo', { domain })}</p>
        <p>{t('done.keep')}</p>
      </Question>
    );
  }
  return (
    <Question title={t('done.title')}>
      <Confirmations given={outcome.confirmations} needed={needed} />
      <p className="text-lg">{t('done.given', { confirmations: outcome.confirmations, needed })}</p>
      <p>{t.rich('done.until', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <p>{t('done.todo', { domain })}</p>
      <p>{t('done.keep')}</p>
    </Question>
  );
}
