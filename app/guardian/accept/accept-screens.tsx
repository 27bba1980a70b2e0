'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Actions, Question, Refusal } from '../../_ui/question.tsx';
import type { Steps } from '../../_ui/use-step.ts';
import { When } from '../../_ui/when.tsx';
import { StepLink } from '../../_ui/wizard.tsx';
import { LinkFor } from '../link-for.tsx';
import type { Screen } from './accept-flow.ts';
import type { OpenInvitation } from './accept-invitation.tsx';

export type Shown = { steps: Steps; invitation: OpenInvitation; focus: boolean };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** The invitation, and who sent it. */
export function Who({ steps, invitation, focus }: Shown) {
  const t = useTranslations('accept');
  const { beo_id, beo_domain: domain, role, bound_key, expires_at } = invitation;
  return (
    <Question title={t('who.title', { domain })} focus={focus}>
      <p className="text-lg">{t('who.lead', { domain })}</p>
      <LinkFor beoId={beo_id} domain={domain} role={role} expectedKey={bound_key} />
      <h2 className="pt-2">{t('who.question')}</h2>
      <p>{t('who.check')}</p>
      <Actions>
        <StepLink steps={steps} to="what">
          {t('who.yes')}
        </StepLink>
        <StepLink steps={steps} to="ask" look="secondary">
          {t('who.unsure')}
        </StepLink>
        <StepLink steps={steps} to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
      <p className="text-muted">{t.rich('who.until', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
    </Question>
  );
}

/** Advice for a person who does not know the holder. */
export function AskFirst({ steps, invitation: { beo_domain: domain, expires_at }, focus }: Shown) {
  const t = useTranslations('accept');
  return (
    <Question title={t('ask.title')} focus={focus}>
      <p className="text-lg">{t('ask.how', { domain })}</p>
      <p>{t('ask.stranger')}</p>
      <p>{t.rich('ask.nothing', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <Actions>
        <StepLink steps={steps} to="what">
          {t('ask.yes')}
        </StepLink>
        <StepLink steps={steps} to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** Advice for a person who declines. */
export function Declined({ steps, invitation: { beo_domain: domain, expires_at }, focus }: Shown) {
  const t = useTranslations('accept');
  return (
    <Question title={t('no.title')} focus={focus}>
      <p className="text-lg">{t('no.body')}</p>
      <p>{t.rich('no.tell', { domain, when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <Actions>
        <StepLink steps={steps} to="who" look="secondary">
          {t('no.again')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** What a guardian can do, and what becomes public. */
export function What({ steps, invitation: { beo_domain: domain }, focus }: Shown) {
  const t = useTranslations('accept');
  const shared = useTranslations('guardian');
  return (
    <Question title={t('what.title')} focus={focus}>
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
        <StepLink steps={steps} to="day">
          {shared('continue')}
        </StepLink>
        <StepLink steps={steps} to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** What to do when the holder has lost the key. */
export function Day({ steps, focus }: Shown) {
  const t = useTranslations('accept');
  return (
    <Question title={t('day.title')} focus={focus}>
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
        <StepLink steps={steps} to="key">
          {t('day.next')}
        </StepLink>
        <StepLink steps={steps} to="no" look="quiet">
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}

type LastQuestionProps = Shown & { screen: Extract<Screen, { at: 'accept' }>; onAccept: () => void };

/** The only screen that sends a request. */
export function LastQuestion({ steps, invitation, focus, screen, onAccept }: LastQuestionProps) {
  const t = useTranslations('accept');
  return (
    <Question title={t('accept.title', { domain: invitation.beo_domain })} focus={focus}>
      <p>{t('accept.role', { role: invitation.role })}</p>
      <p>{t('accept.lead')}</p>
      <p>{t('accept.sends')}</p>
      <Refusal code={screen.refused} />
      <Actions>
        <Button size="large" onClick={onAccept} busy={screen.sending}>
          {screen.sending ? t('accept.sending') : t('accept.yes')}
        </Button>
        <StepLink steps={steps} to="no" look="quiet" disabled={screen.sending}>
          {t('decline')}
        </StepLink>
      </Actions>
    </Question>
  );
}
