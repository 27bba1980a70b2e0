'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { useWrite } from '../../_session/write.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Field } from '../../_ui/field.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { When } from '../../_ui/when.tsx';
import type { Flow } from '../../_wizard/step-order.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { StepLink, Wizard } from '../../_wizard/wizard.tsx';
import { dropLeftovers } from './replacement.ts';
import { useCooldown, useStatus } from './use-key-status.ts';

/** Loaded once the person begins: the last screen shows it. */
const loadPicture = async () => (await import('../../_ui/pictures/destroyed.tsx')).Destroyed;
const Destroyed = deferred(loadPicture);

interface Destroying {
  readonly destroyed: boolean;
  /** A recovery prevents it for some time. */
  readonly isPrevented: boolean;
}

type Destruction = Flow<Destroying, 'goes' | 'stays' | 'export' | 'confirm', 'done'>;

const goes = { name: 'goes', isDone: ({ isPrevented }: Destroying) => !isPrevented } as const;
const only: Destruction['only'] = ({ destroyed }) => (destroyed ? 'done' : null);
const DESTROY: Readonly<Record<IdentityKind, Destruction>> = {
  holder: { steps: [goes, { name: 'stays' }, { name: 'export' }, { name: 'confirm' }], only },
  institution: { steps: [goes, { name: 'stays' }, { name: 'confirm' }], only },
};

/** Destroys an identity: explains what is deleted and what stays, offers an export, and asks for the domain as a confirmation. */
export function Destroy() {
  const t = useTranslations('safety.destroy');
  const { current } = useSession();
  const status = useStatus(current);
  const cooldown = useCooldown(current);
  useLoadAhead(loadPicture);
  const walk = useFlow(
    DESTROY[current?.kind ?? 'holder'],
    { destroyed: status === 'DESTROYED', isPrevented: Boolean(cooldown) },
    { title: t('title', { kind: current?.kind ?? 'holder' }), nameOf: (step) => t(`steps.${step}`) },
  );

  if (!current) return null;
  const { kind, domain } = current;
  const home = kind === 'holder' ? '/me/safety' : '/institution/leave';
  const no = (
    <Button asChild look="secondary" size="large">
      <LocalLink href={home}>{t('no')}</LocalLink>
    </Button>
  );
  const next = (to: string, label: string) => (
    <Actions>
      <StepLink to={to} look="secondary">
        {label}
      </StepLink>
      {no}
    </Actions>
  );
  return (
    <Wizard narrow walk={walk}>
      {walk.screen === 'goes' && (
        <Question title={t('goes.title', { domain })}>
          {cooldown && (
            <Alert tone="caution" title={t('cooldown.title')}>
              <p>{t.rich('cooldown.body', { when: (end) => <When at={cooldown}>{end}</When> })}</p>
            </Alert>
          )}
          <ul className="list-disc space-y-2 pl-6">
            <li>{t(`goes.${kind}.key`)}</li>
            <li>{t(`goes.${kind}.consents`)}</li>
            <li>{t(`goes.${kind}.records`)}</li>
            <li>{t('goes.domain', { domain })}</li>
          </ul>
          <Alert tone="danger">
            <p>{t('goes.final')}</p>
          </Alert>
          <p className="text-muted">
            {t.rich(`goes.${kind}.rather`, {
              lock: (chunks) => <strong>{chunks}</strong>,
            })}
          </p>
          {cooldown ? <Actions>{no}</Actions> : next('stays', t('next'))}
        </Question>
      )}
      {walk.screen === 'stays' && (
        <Question title={t('stays.title')}>
          <ul className="list-disc space-y-2 pl-6">
            <li>{t(`stays.${kind}.ledger`, { domain })}</li>
            <li>{t(`stays.${kind}.copies`)}</li>
            <li>{t('stays.mark', { domain })}</li>
          </ul>
          {next(kind === 'holder' ? 'export' : 'confirm', t('next'))}
        </Question>
      )}
      {walk.screen === 'export' && (
        <Question title={t('export.title')}>
          <p>{t('export.what')}</p>
          <p>{t('export.last')}</p>
          <Actions>
            <Button asChild size="large">
              <LocalLink href="/me/export">{t('export.make')}</LocalLink>
            </Button>
            <StepLink to="confirm" look="secondary">
              {t('export.without')}
            </StepLink>
          </Actions>
          <Button asChild look="quiet" className="-ml-5">
            <LocalLink href={home}>{t('no')}</LocalLink>
          </Button>
        </Question>
      )}
      {walk.screen === 'confirm' && (
        <Question title={t('confirm.title', { domain })}>
          <Confirm home={home} />
        </Question>
      )}
      {walk.screen === 'done' && (
        <Question title={t('done.title', { domain })}>
          <Destroyed className="w-56" />
          <p role="status">{t(`done.${kind}`)}</p>
          <Leave />
        </Question>
      )}
    </Wizard>
  );
}

function Confirm({ home }: { home: string }) {
  const t = useTranslations('safety.destroy');
  const { current } = useSession();
  const write = useWrite();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { sending, failure, submit, clear } = useSubmission();

  if (!current) return null;
  const { kind, id, domain } = current;

  const destroy = async () => {
    if (sending) return;
    const differs = typed.trim().toLowerCase() !== domain;
    setWrong(differs);
    if (differs) return clear();
    await submit(() => (kind === 'holder' ? write('destroyBEO', { beoId: id }) : write('destroyIEO', { ieoId: id })));
  };

  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        void destroy();
      }}
    >
      <p>{t('confirm.final')}</p>
      <Field
        label={t('confirm.label', { domain })}
        error={wrong ? t('confirm.wrong', { domain }) : undefined}
        value={typed}
        onType={setTyped}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      {failure?.code === 'RECOVERY_COOLDOWN' ? (
        <Alert tone="danger">
          <p role="alert">{t('confirm.cooldown')}</p>
        </Alert>
      ) : (
        <Refused failure={failure} />
      )}
      <Actions>
        <Button type="submit" size="large" busy={sending} className="bg-danger-ink! text-surface!">
          {sending ? t('confirm.sending') : t('confirm.yes')}
        </Button>
        {sending ? (
          <Button look="secondary" size="large" disabled>
            {t('no')}
          </Button>
        ) : (
          <Button asChild look="secondary" size="large">
            <LocalLink href={home}>{t('no')}</LocalLink>
          </Button>
        )}
      </Actions>
    </form>
  );
}

function Leave() {
  const t = useTranslations('safety.destroy.done');
  const { current, forget } = useSession();
  const go = useGo();
  if (!current) return null;

  const leave = async () => {
    go('/sign-in');
    await dropLeftovers(current);
    await forget(current.id);
  };

  return (
    <Actions>
      <Button size="large" onClick={leave}>
        {t('forget')}
      </Button>
      <Button asChild look="secondary" size="large">
        <LocalLink href={`/explore/${current.id}`}>{t('see')}</LocalLink>
      </Button>
    </Actions>
  );
}
