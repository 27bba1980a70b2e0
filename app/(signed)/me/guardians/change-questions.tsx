'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { Actions, Question, StepLink } from '../../../_ui/question.tsx';
import { When } from '../../../_ui/when.tsx';
import type { Flow } from './flow.ts';
import { GuardianRefused } from './guardian-refused.tsx';
import { type Place, without } from './standing.ts';

type Asked = Flow & {
  /** How many others get a new link by it. */
  links: number;
  onYes: () => void;
};

/** Whether somebody is to go, and what stands afterwards. */
export function AskRemove(props: Asked & { place: Place }) {
  const { place, view, standing, who, steps, focus, sending, links, onYes } = props;
  const t = useTranslations('myGuardians.remove');
  const { guardian, state, counts } = place;
  const pending = state === 'invited';
  const after = guardian && without(view.recovery, guardian, standing.onlyConfirmed);
  return (
    <Question title={t(pending ? 'withdrawTitle' : 'title', { who: who(place) })} focus={focus}>
      {pending && <p className="text-lg">{t('withdrawn')}</p>}
      {!pending && counts && (
        <>
          <p className="text-lg font-semibold">{t('grace')}</p>
          <p>{t('graceWhy')}</p>
        </>
      )}
      {!pending && !counts && <p className="text-lg">{t(standing.readiness === 'off' ? 'off' : 'unconfirmed')}</p>}
      {after && !pending && <p>{t(`after.${after.readiness}`)}</p>}
      {!pending && <p>{t('tell')}</p>}
      {links > 0 && <p>{t('links', { count: links })}</p>}
      <p>{t('public')}</p>
      <GuardianRefused failure={sending.failure} />
      <Actions>
        <Button size="large" onClick={onYes} aria-disabled={sending.sending} className="aria-disabled:opacity-60">
          {sending.sending ? t('sending') : t(pending ? 'yesWithdraw' : 'yes')}
        </Button>
        <StepLink steps={steps} to="list" look="secondary">
          {t('no')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** What becomes of the old link, and how to wait for its end instead. */
export function AskAnew({ place, who, steps, focus, sending, links, onYes }: Asked & { place: Place }) {
  const t = useTranslations('myGuardians');
  return (
    <Question title={t('anew.title', { who: who(place) })} focus={focus}>
      <p className="text-lg">{t('anew.old')}</p>
      {links > 0 && <p>{t('remove.links', { count: links })}</p>}
      <p>{t.rich('anew.wait', { when: (end) => <When at={place.ends ?? ''}>{end}</When> })}</p>
      <GuardianRefused failure={sending.failure} />
      <Actions>
        <Button size="large" onClick={onYes} aria-disabled={sending.sending} className="aria-disabled:opacity-60">
          {t(sending.sending ? 'anew.sending' : 'anew.yes')}
        </Button>
        <StepLink steps={steps} to="list" look="secondary">
          {t('remove.no')}
        </StepLink>
      </Actions>
    </Question>
  );
}

export function AskEnable({ steps, focus, sending, links, onYes }: Asked) {
  const t = useTranslations('myGuardians');
  return (
    <Question title={t('enable.title')} focus={focus}>
      <p className="text-lg">{t('enable.lead')}</p>
      {links > 0 && <p>{t('remove.links', { count: links })}</p>}
      <p>{t('remove.public')}</p>
      <GuardianRefused failure={sending.failure} />
      <Actions>
        <Button size="large" onClick={onYes} aria-disabled={sending.sending} className="aria-disabled:opacity-60">
          {t(sending.sending ? 'enable.sending' : 'enable.yes')}
        </Button>
        <StepLink steps={steps} to="list" look="secondary">
          {t('remove.no')}
        </StepLink>
      </Actions>
    </Question>
  );
}
