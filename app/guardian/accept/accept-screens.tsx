'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Actions, Question, Refusal } from '../../_ui/question.tsx';
import { When } from '../../_ui/when.tsx';
import { SendStep } from '../../_wizard/send-step.tsx';
import { StepLink } from '../../_wizard/wizard.tsx';
import { LinkFor } from '../link-for.tsx';
import type { OpenInvitation } from './accept-invitation.tsx';

type Shown = { invitation: OpenInvitation };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** The invitation, and who sent it. `line`: what the link says about that. */
export function Who({ invitation, line, picture }: Shown & { line: string | null; picture: ReactNode }) {
  const t = useTranslations('accept');
  const { beo_domain: domain, role, bound_key, expires_at } = invitation;
  return (
    <Question title={t('who.title', { domain })}>
      {picture}
      {line !== null && (
        <figure className="space-y-2 border-l-4 border-accent py-1 pl-4">
          <figcaption className="text-sm text-muted">{t('who.line')}</figcaption>
          <blockquote className="text-lg font-semibold break-words" dir="auto">
            {line}
          </blockquote>
          <p className="text-sm">{t('who.anyone')}</p>
        </figure>
      )}
      <p className="text-lg">{t('who.lead', { domain })}</p>
      <LinkFor domain={domain} role={role} expectedKey={bound_key} />
      <h2 className="pt-2">{t('who.question')}</h2>
      <p>{t('who.check')}</p>
      <Actions>
        <StepLink to="what">{t('who.yes')}</StepLink>
        <StepLink to="ask" look="secondary">
          {t('who.unsure')}
        </StepLink>
        <StepLink to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
      <p className="text-muted">{t.rich('who.until', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
    </Question>
  );
}

/** Advice for a person who does not know the holder. */
export function AskFirst({ invitation: { beo_domain: domain, expires_at } }: Shown) {
  const t = useTranslations('accept');
  return (
    <Question title={t('ask.title')}>
      <p className="text-lg">{t('ask.how', { domain })}</p>
      <p>{t('ask.stranger')}</p>
      <p>{t.rich('ask.nothing', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <Actions>
        <StepLink to="what">{t('ask.yes')}</StepLink>
        <StepLink to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Advice for a person who declines. */
export function Declined({ invitation: { beo_domain: domain, expires_at } }: Shown) {
  const t = useTranslations('accept');
  return (
    <Question title={t('no.title')}>
      <p className="text-lg">{t('no.body')}</p>
      <p>{t.rich('no.tell', { domain, when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <Actions>
        <StepLink to="who" look="secondary">
          {t('no.again')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** What a guardian can do, and what becomes public. */
export function What({ invitation: { beo_domain: domain } }: Shown) {
  const t = useTranslations('accept');
  const shared = useTranslations('guardian');
  return (
    <Question title={t('what.title')}>
      <h2 className="pt-2">{t('what.can')}</h2>
      <ul className="list-disc space-y-1 pl-6">
        <li>{t('what.canHelp', { domain })}</li>
      </ul>
      <h2 className="pt-2">{t('what.cannot')}</h2>
      <ul className="list-disc space-y-1 pl-6">
        <li>{t('what.cannotRead')}</li>
        <li>{t('what.cannotAlone')}</li>
        <li>{t('what.cannotSpend')}</li>
      </ul>
      <h2 className="pt-2">{t('what.cost')}</h2>
      <p>{t('what.costNothing')}</p>
      <h2 className="pt-2">{t('what.public')}</h2>
      <p>{t('what.publicKey', { domain })}</p>
      <Actions>
        <StepLink to="day">{shared('continue')}</StepLink>
        <StepLink to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** What to do when the holder has lost the key. */
export function Day() {
  const t = useTranslations('accept');
  return (
    <Question title={t('day.title')}>
      <p>{t('day.lead')}</p>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('day.call', { b: bold })}</li>
        <li>{t.rich('day.voice', { b: bold })}</li>
        <li>{t.rich('day.words', { b: bold })}</li>
        <li>{t.rich('day.key', { b: bold })}</li>
      </ol>
      <Alert>
        <p>{t('day.hurry')}</p>
      </Alert>
      <Actions>
        <StepLink to="key">{t('day.next')}</StepLink>
        <StepLink to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

type LastQuestionProps = Shown & { sending: boolean; refused: string | null; onAccept: () => void };

export function LastQuestion({ invitation, sending, refused, onAccept }: LastQuestionProps) {
  const t = useTranslations('accept');
  return (
    <SendStep
      title={t('accept.title', { domain: invitation.beo_domain })}
      refused={<Refusal code={refused} />}
      sending={sending}
      yes={t('accept.yes')}
      busy={t('accept.sending')}
      onSend={onAccept}
      other={
        <StepLink to="no" look="quiet" disabled={sending}>
          {t('decline')}
        </StepLink>
      }
    >
      <p>{t('accept.role', { role: invitation.role })}</p>
      <p>{t('accept.lead')}</p>
      <p>{t('accept.sends')}</p>
    </SendStep>
  );
}
