'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { Wizard } from '../../_wizard/wizard.tsx';
import { AboutScreen, loadPlaceFields } from './about-screen.tsx';
import { useRegistration } from './use-registration.ts';

const loadScreens = async () => (await import('./registration-screens.tsx')).RegistrationScreens;
const loadLaterScreens = () => Promise.all([loadPlaceFields(), loadScreens()]);
const RegistrationScreens = deferred(loadScreens, <ScreenSkeleton />);

/** Registers an institution: what it is, a copy of its key, the key in this browser, and the request. */
export function Registration({ suffix }: { suffix: string }) {
  const t = useTranslations('register');
  const registering = useRegistration();
  const { walk, registration } = registering;
  const { screen } = walk;
  // An institution that cannot be seen may exist: no second one is offered.
  const isUnreadable = useSession().identities.state === 'unreadable';

  useLoadAhead(loadLaterScreens);

  if (isUnreadable)
    return (
      <>
        <h1 className="sr-only">{t('title')}</h1>
        <ScreenSkeleton />
      </>
    );

  return (
    <Wizard walk={walk} busy={registering.sending}>
      {screen === 'about' && (
        // Anew once the answers of an earlier visit are read.
        <AboutScreen key={registration?.domain} suffix={suffix} chosen={registration} onChoose={registering.choose} />
      )}
      {screen !== 'about' && <RegistrationScreens registering={registering} />}
    </Wizard>
  );
}
