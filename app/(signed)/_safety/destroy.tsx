'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import { useSession } from '../../_session/session.tsx';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { useWrite } from '../../_session/write.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { useSteps } from '../../_ui/use-step.ts';
import { When } from '../../_ui/when.tsx';
import { BackLink, StepLink, useProgress, Wizard } from '../../_ui/wizard.tsx';
import { dropLeftovers } from './replacement.ts';
import { useCooldown, useStatus } from './use-key-status.ts';

const STEPS = { holder: ['goes', 'stays', 'export', 'confirm'], institution: ['goes', 'stays', 'confirm'] } as const;
type Step = (typeof STEPS)['holder'][number];

/** Destroys an identity: explains what is deleted and what stays, offers an export, and asks for the domain as a confirmation. */
export function Destroy() {
  const t = useTranslations('safety.destroy');
  const { current } = useSession();
  const steps = useSteps();
  const status = useStatus(current);
  const cooldown = useCooldown(current);
  const order: readonly Step[] = STEPS[current?.kind ?? 'holder'];
  const names: readonly string[] = order;
  const place = cooldown ? 0 : Math.max(0, names.indexOf(steps.requested ?? ''));
  const screen = status === 'DESTROYED' ? 'done' : (order[place] ?? 'goes');
  const title = t('title', { kind: current?.kind ?? 'holder' });
  const { focus, progress } = useProgress(title, screen, order, (step) => t(`steps.${order[step] ?? 'goes'}`));

  if (!current) return null;
  const { kind, domain } = current;
  const shown = { heading: 'h1', focus, className: 'space-y-4' } as const;
  const home = kind === 'holder' ? '/me/safety' : '/institution/settings';
  const no = (
    <Button asChild look="secondary" size="large">
      <LocalLink href={home}>{t('no')}</LocalLink>
    </Button>
  );
  const next = (to: string, label: string) => (
    <Actions>
      <StepLink steps={steps} to={to} look="secondary">
        {label}
      </StepLink>
      {no}
    </Actions>
  );
  const before = order[place - 1];
  const back = before && screen !== 'done' && <BackLink steps={steps} to={before} />;

  switch (screen) {
    case 'goes':
      return (
        <Wizard narrow progress={progress} back={back}>
          <Screen key={screen} title={t('goes.title', { domain })} {...shown}>
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
          </Screen>
        </Wizard>
      );
    case 'stays':
      return (
        <Wizard narrow progress={progress} back={back}>
          <Screen key={screen} title={t('stays.title')} {...shown}>
            <ul className="list-disc space-y-2 pl-6">
              <li>{t(`stays.${kind}.ledger`, { domain })}</li>
              <li>{t(`stays.${kind}.copies`)}</li>
              <li>{t('stays.mark', { domain })}</li>
            </ul>
            {next(kind === 'holder' ? 'export' : 'confirm', t('next'))}
          </Screen>
        </Wizard>
      );
    case 'export':
      return (
        <Wizard narrow progress={progress} back={back}>
          <Screen key={screen} title={t('export.title')} {...shown}>
            <p>{t('export.what')}</p>
            <p>{t('export.last')}</p>
            <Actions>
              <Button asChild size="large">
                <LocalLink href="/me/export">{t('export.make')}</LocalLink>
              </Button>
              <StepLink steps={steps} to="confirm" look="secondary">
                {t('export.without')}
              </StepLink>
            </Actions>
            <Button asChild look="quiet" className="-ml-5">
              <LocalLink href={home}>{t('no')}</LocalLink>
            </Button>
          </Screen>
        </Wizard>
      );
    case 'confirm':
      return (
        <Wizard narrow progress={progress} back={back}>
          <Screen key={screen} title={t('confirm.title', { domain })} {...shown}>
            <Confirm home={home} />
          </Screen>
        </Wizard>
      );
    default:
      return (
        <Screen key={screen} title={t('done.title', { domain })} {...shown} className="max-w-form space-y-4">
          <p role="status">{t(`done.${kind}`)}</p>
          <Leave />
        </Screen>
      );
  }
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
