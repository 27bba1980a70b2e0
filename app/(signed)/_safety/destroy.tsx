'use client';

import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { When } from '../../_ui/when.tsx';
import type { Flow } from '../../_wizard/step-order.ts';
import { useFlow } from '../../_wizard/use-flow.ts';
import { StepLink, Wizard } from '../../_wizard/wizard.tsx';
import { useCooldown, useStatus } from './use-key-status.ts';

/** The last two screens, loaded once the person begins. */
const loadPicture = async () => (await import('../../_ui/pictures/destroyed.tsx')).Destroyed;
const loadConfirm = () => import('./confirm-destroy.tsx');
const loadBoth = () => Promise.all([loadPicture(), loadConfirm()]);
const Destroyed = deferred(loadPicture);
const ConfirmDestroy = deferred(async () => (await loadConfirm()).ConfirmDestroy, <ScreenSkeleton />);
const Leave = deferred(async () => (await loadConfirm()).Leave);

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
  useLoadAhead(loadBoth);
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
          <ConfirmDestroy home={home} />
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
