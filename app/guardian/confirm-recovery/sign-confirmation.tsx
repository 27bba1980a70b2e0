'use client';

import { useTranslations } from 'use-intl/react';
import { Question, Refusal } from '../../_ui/question.tsx';
import { Confirmations } from '../../_ui/shields.tsx';
import { When } from '../../_ui/when.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';
import { StepLink } from '../../_wizard/wizard.tsx';
import type { OpenRequest } from './confirm-recovery.tsx';

type Shown = { request: OpenRequest };

type SignConfirmationProps = Shown & {
  /** As last read. */
  confirmations: number;
  sending: boolean;
  refused: string | null;
  onConfirm: () => void;
};

export function SignConfirmation({ request, confirmations, sending, refused, onConfirm }: SignConfirmationProps) {
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
