'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { NotStored } from '../../_wizard/not-stored.tsx';
import { Wizard } from '../../_wizard/wizard.tsx';
import { Aside } from './aside.tsx';
import { NameScreen } from './create-name-screen.tsx';
import { PublicScreen } from './create-public-screen.tsx';
import type { SubmittedName } from './use-availability.ts';
import { useCreate } from './use-create.ts';

const loadScreensAfterName = async () => (await import('./screens-after-name.tsx')).ScreensAfterName;
const ScreensAfterName = deferred(loadScreensAfterName, <ScreenSkeleton />);

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
  const creating = useCreate();
  const { walk, draft, draftKey } = creating;
  const { screen } = walk;
  // An identity that cannot be seen may exist: no second one is offered.
  const isUnreadable = useSession().identities.state === 'unreadable';

  useLoadAhead(loadScreensAfterName);

  if (screen === 'loading' || screen === 'past' || isUnreadable)
    return (
      <>
        <h1 className="sr-only">{t('title')}</h1>
        <div className="unscripted:hidden">
          <ScreenSkeleton />
        </div>
      </>
    );

  const isFirst = screen === 'name' || screen === 'public';
  const domain = draft?.domain ?? null;
  return (
    <Wizard walk={walk} busy={creating.sending} aside={walk.at >= 0 && <Aside withName={screen === 'name'} />}>
      {(screen === 'here' || screen === 'send') && draftKey.made?.stored === false && <NotStored />}
      {screen === 'name' && (
        <NameScreen
          suffix={suffix}
          suggested={suggested}
          submitted={submitted}
          ready={draft !== null}
          chosen={domain}
          lost={creating.lostDomain}
          onName={creating.nameChosen}
        />
      )}
      {screen === 'public' && domain !== null && <PublicScreen domain={domain} />}
      {!isFirst && domain !== null && <ScreensAfterName creating={creating} domain={domain} />}
      {testNetwork && isFirst && <p className="mt-6 text-sm text-muted">{t('testNetwork')}</p>}
    </Wizard>
  );
}
