'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Actions, Question } from '../_ui/question.tsx';
import { When } from '../_ui/when.tsx';
import { SendStep } from '../_wizard/send-step.tsx';
import { StepLink } from '../_wizard/wizard.tsx';
import type { Asking } from './recover-flow.ts';
import { Refusal } from './refusal.tsx';
import type { Identity } from './situation.ts';

export type Shown = { identity: Identity };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

type FoundProps = Shown & { guardians: number; startHref: string };

/** The identity and its status, and whether its guardians are needed. */
export function Found({ identity, guardians, startHref }: FoundProps) {
  const t = useTranslations('recover.found');
  const { domain, status, active_recovery: active } = identity;
  return (
    <Question title={t('title', { domain })}>
      <p className="text-lg">{t('lead', { guardians })}</p>
      {status === 'LOCKED' && (
        <Alert title={t('lockedTitle')}>
          <p>{t('locked')}</p>
        </Alert>
      )}
      {active && (
        <Alert tone="caution" title={t('underwayTitle')}>
          <p>
            {t.rich('underway', {
              confirmations: active.confirmations,
              needed: active.confirmations_needed,
              when: () => <When at={active.expires_at} />,
            })}
          </p>
          <p className="mt-2">{t.rich('yours', { b: bold })}</p>
          <p className="mt-2">{t.rich('notYours', { b: bold })}</p>
        </Alert>
      )}
      <p>{t('look')}</p>
      <Actions>
        <StepLink to="what">{t('next')}</StepLink>
        {active && (
          <StepLink to="mine" look="secondary">
            {t('mine')}
          </StepLink>
        )}
        <StepLink to="open" look="secondary">
          {t('haveKey')}
        </StepLink>
        <Button asChild look="quiet">
          <a href={startHref}>{t('another')}</a>
        </Button>
      </Actions>
    </Question>
  );
}

/** What will happen, and what becomes public. */
export function What({ identity }: Shown) {
  const t = useTranslations('recover.what');
  const { domain } = identity;
  return (
    <Question title={t('title')}>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('key', { b: bold })}</li>
        <li>{t.rich('links', { b: bold })}</li>
        <li>{t.rich('call', { b: bold })}</li>
        <li>{t.rich('done', { b: bold, domain })}</li>
      </ol>
      <p>{t('time')}</p>
      <h2 className="pt-2">{t('publicTitle')}</h2>
      <p>{t('public', { domain })}</p>
      <Actions>
        <StepLink to="key">{t('next')}</StepLink>
      </Actions>
    </Question>
  );
}

type AskGuardiansProps = {
  /** A request was sent before. */
  again: boolean;
  asking: Asking;
  mails: boolean;
  onAsk: () => void;
  onAnotherKey: () => void;
};

export function AskGuardians({ again, asking, mails, onAsk, onAnotherKey }: AskGuardiansProps) {
  const t = useTranslations('recover.ask');
  const refused = asking.at === 'idle' ? asking.refused : null;
  return (
    <SendStep
      title={again ? t('againTitle') : t('title')}
      refused={<Refusal code={refused} />}
      sending={asking.at === 'sending'}
      yes={t('yes')}
      busy={t('sending')}
      onSend={onAsk}
      other={
        refused === 'PUBLIC_KEY_TAKEN' && (
          <Button look="secondary" size="large" onClick={onAnotherKey}>
            {t('anotherKey')}
          </Button>
        )
      }
    >
      <p className="text-lg">{again ? t('againLead') : t('lead')}</p>
      <p>{t('nothingYet')}</p>
      {mails && <p>{t('mails')}</p>}
    </SendStep>
  );
}

/** The server returned words of another key: no link may be passed on. */
export function Mismatch() {
  const t = useTranslations('recover.mismatch');
  return (
    <Question title={t('title')}>
      <Alert tone="danger">
        <p>{t('body')}</p>
      </Alert>
      <p>{t('todo')}</p>
    </Question>
  );
}
