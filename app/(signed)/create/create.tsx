'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Skeleton } from '../../_ui/skeleton.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { type Steps, useSteps } from '../../_ui/use-step.ts';
import { BackLink, useProgress, Wizard } from '../../_ui/wizard.tsx';
import { Aside } from './aside.tsx';
import { type Screen, STEPS, type Step } from './create-flow.ts';
import { NameScreen } from './create-name-screen.tsx';
import { PublicScreen } from './create-public-screen.tsx';
import type { SubmittedName } from './use-availability.ts';
import { type Creating, useCreate } from './use-create.ts';

const loadLaterScreens = async () => (await import('./later-screens.tsx')).LaterScreens;
const LaterScreens = deferred(loadLaterScreens, <ScreenSkeleton />);

const BEFORE: Partial<Record<Screen['at'], Step>> = { public: 'name', key: 'public', here: 'key', send: 'name' };

type CreateProps = {
  suffix: string;
  /** Whether the network is not permanent. */
  testNetwork: boolean;
  /** A random name, without the suffix. */
  suggested: string;
  submitted: SubmittedName | null;
};

/** Creates an identity, one question per screen. The draft survives a reload. */
export function Create({ suffix, testNetwork, suggested, submitted }: CreateProps) {
  const t = useTranslations('create');
  const steps = useSteps();
  const creating = useCreate(steps);
  const { state, screen } = creating;
  // An identity that cannot be seen may exist: no second one is offered.
  const isUnreadable = useSession().identities.state === 'unreadable';

  useLoadAhead(loadLaterScreens);

  const { focus, progress } = useProgress(t('title'), screen.at, STEPS, (step) =>
    t(`steps.${STEPS[step] ?? STEPS[0]}`),
  );

  if (screen.at === 'loading' || screen.at === 'past' || isUnreadable)
    return (
      <>
        <h1 className="sr-only">{t('title')}</h1>
        <Skeleton className="mt-4 h-72 w-full unscripted:hidden" />
      </>
    );

  const needsKey = screen.at === 'key' || screen.at === 'here' || screen.at === 'send';
  const back = state.at === 'drafting' ? BEFORE[screen.at] : undefined;
  return (
    <Wizard
      progress={progress}
      back={back && <BackLink steps={steps} to={back} />}
      aside={progress.at >= 0 && <Aside withName={screen.at === 'name'} />}
    >
      {needsKey && 'keyStored' in state && !state.keyStored && (
        <Alert tone="caution" title={t('forgetful.title')} className="mb-5 print:hidden">
          <p>{t('forgetful.body')}</p>
        </Alert>
      )}
      <Shown {...{ steps, focus, suffix, suggested, submitted, creating }} />
      {testNetwork && (screen.at === 'name' || screen.at === 'public') && (
        <p className="mt-6 text-sm text-muted">{t('testNetwork')}</p>
      )}
    </Wizard>
  );
}

type ShownProps = Omit<CreateProps, 'testNetwork'> & { steps: Steps; focus: boolean; creating: Creating };

function Shown({ steps, focus, suffix, suggested, submitted, creating }: ShownProps) {
  const { screen } = creating;
  switch (screen.at) {
    case 'loading':
    case 'past':
      return null;
    case 'name':
      return (
        <NameScreen
          suffix={suffix}
          suggested={suggested}
          submitted={submitted}
          focus={focus}
          ready={creating.state.at !== 'loading'}
          chosen={screen.domain}
          lost={screen.lostDomain}
          onName={creating.nameChosen}
        />
      );
    case 'public':
      return <PublicScreen steps={steps} focus={focus} domain={screen.domain} />;
    default:
      return <LaterScreens steps={steps} focus={focus} creating={creating} screen={screen} />;
  }
}
