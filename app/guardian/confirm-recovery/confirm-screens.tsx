'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Actions, Question, Refusal } from '../../_ui/question.tsx';
import { Shields } from '../../_ui/shields.tsx';
import type { Steps } from '../../_ui/use-step.ts';
import { When } from '../../_ui/when.tsx';
import { StepLink } from '../../_ui/wizard.tsx';
import { LinkFor } from '../link-for.tsx';
import type { Outcome, Screen } from './confirm-flow.ts';
import type { OpenRequest } from './confirm-recovery.tsx';

export type Shown = { steps: Steps; request: OpenRequest; focus: boolean };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** The request: the identity, what a confirmation does, the deadline, and the confirmations so far. */
export function Requested({ steps, request, focus }: Shown) {
  const t = useTranslations('confirm');
  const shared = useTranslations('guardian');
  const { beo_id, beo_domain: domain, role, guardian_key, confirmations, expires_at } = request;
  return (
    <Question title={t('ask.title', { domain })} focus={focus}>
      <LinkFor beoId={beo_id} domain={domain} role={role} expectedKey={guardian_key} />
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
        <StepLink steps={steps} to="call">
          {shared('continue')}
        </StepLink>
        <StepLink steps={steps} to="stop" look="quiet">
          {t('doubt')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Asks the guardian to call the holder, which keeps strangers out. */
export function Call({ steps, request, focus }: Shown) {
  const t = useTranslations('confirm');
  return (
    <Question title={t('call.title')} focus={focus}>
      <p className="text-lg">{t('call.lead', { domain: request.beo_domain })}</p>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('call.number', { b: bold })}</li>
        <li>{t.rich('call.voice', { b: bold })}</li>
        <li>{t.rich('call.words', { b: bold })}</li>
      </ol>
      <Actions>
        <StepLink steps={steps} to="words">
          {t('call.ready')}
        </StepLink>
        <StepLink steps={steps} to="stop" look="secondary">
          {t('call.cannot')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Advice for a guardian who is not sure. */
export function Stop({ steps, request, focus }: Shown) {
  const t = useTranslations('confirm');
  return (
    <Question title={t('stop.title')} focus={focus}>
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
        <StepLink steps={steps} to="ask" look="secondary">
          {t('stop.again')}
        </StepLink>
      </Actions>
    </Question>
  );
}

type LastQuestionProps = Shown & { screen: Extract<Screen, { at: 'confirm' }>; onConfirm: () => void };

/** The only screen that sends a request. */
export function LastQuestion({ steps, request, focus, screen, onConfirm }: LastQuestionProps) {
  const t = useTranslations('confirm');
  const { beo_domain: domain, confirmations_needed } = request;
  const { sending, refused } = screen;
  const confirmations = screen.confirmations ?? request.confirmations;
  return (
    <Question title={t('confirm.title', { domain })} focus={focus}>
      <p>{t('confirm.checked', { domain })}</p>
      <p className="font-semibold">
        {confirmations + 1 < confirmations_needed ? t('confirm.first') : t('confirm.second')}
      </p>
      <p>{t('confirm.public')}</p>
      <Refusal code={refused} />
      <Actions>
        <Button size="large" onClick={onConfirm} busy={sending}>
          {sending ? t('confirm.sending') : t('confirm.yes')}
        </Button>
        <StepLink steps={steps} to="stop" look="secondary" disabled={sending}>
          {t('confirm.no')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** The outcome: recovered, or waiting for another guardian. */
export function Done({ request, focus, outcome }: Shown & { outcome: Outcome }) {
  const t = useTranslations('confirm');
  const { beo_domain: domain, confirmations_needed: needed, expires_at } = request;
  if (outcome.executed) {
    return (
      <Question title={t('done.executedTitle', { domain })} focus={focus}>
        <Confirmations given={needed} needed={needed} />
        <p className="text-lg">{t('done.executed')}</p>
        <p>{t('done.executedTodo', { domain })}</p>
        <p>{t('done.keep')}</p>
      </Question>
    );
  }
  return (
    <Question title={t('done.title')} focus={focus}>
      <Confirmations given={outcome.confirmations} needed={needed} />
      <p className="text-lg">{t('done.given', { confirmations: outcome.confirmations, needed })}</p>
      <p>{t.rich('done.until', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <p>{t('done.todo', { domain })}</p>
      <p>{t('done.keep')}</p>
    </Question>
  );
}

/** The confirmations as shields; the text below says the same. */
function Confirmations({ given, needed }: { given: number; needed: number }) {
  return (
    <Shields states={Array.from({ length: needed }, (_, place) => (place < given ? 'full' : 'empty'))} label={null} />
  );
}
