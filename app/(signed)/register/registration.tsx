'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { Wizard } from '../../_wizard/wizard.tsx';
import { AboutScreen, loadPlaceFields } from './about-screen.tsx';
import { writeRegistration } from './kept-registration.ts';
import { useRegistration } from './use-registration.ts';

const loadKeyStep = async () => (await import('../../_wizard/key-step.tsx')).KeyStep;
const loadSealStep = async () => (await import('../../_wizard/keep-here.tsx')).SealStep;
const loadSendScreen = async () => (await import('./send-screen.tsx')).SendScreen;
const loadDoneScreen = async () => (await import('./done-screen.tsx')).DoneScreen;
const loadLaterScreens = () =>
  Promise.all([loadPlaceFields(), loadKeyStep(), loadSealStep(), loadSendScreen(), loadDoneScreen()]);
const KeyStep = deferred(loadKeyStep, <ScreenSkeleton />);
const SealStep = deferred(loadSealStep, <ScreenSkeleton />);
const SendScreen = deferred(loadSendScreen, <ScreenSkeleton />);
const DoneScreen = deferred(loadDoneScreen, <ScreenSkeleton />);

/** Registers an institution: what it is, a copy of its key, the key in this browser, and the request. */
export function Registration({ suffix }: { suffix: string }) {
  const t = useTranslations('register');
  const { walk, registration, domain, draftKey, keeping, registered, ...registering } = useRegistration();
  const { screen } = walk;
  const { made } = draftKey;
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
      {screen === 'key' && (
        <KeyStep
          draft={draftKey}
          hasCopy={made?.hasCopy === true}
          purpose="institution"
          beoDomain={domain}
          onCopied={(_, passphrase) => registering.copied(passphrase)}
          onNext={walk.next}
        />
      )}
      {(screen === 'here' || screen === 'keep') && made && (
        <SealedOnce isSealed={screen === 'here' && registering.isSealed} onNext={walk.next}>
          <SealStep
            opened={made.key}
            identity={{ kind: 'institution', domain }}
            cannotStore={keeping.cannotStore}
            filePassphrase={registering.filePassphrase}
            existing={made.protection?.passkey ?? null}
            notice={registered && <p role="status">{t('here.registered', { domain })}</p>}
            more={(busy) =>
              registered ? (
                !busy && (
                  <Button asChild look="quiet" className="-ml-5">
                    <LocalLink href="/" onClick={() => writeRegistration(null)}>
                      {t('here.later')}
                    </LocalLink>
                  </Button>
                )
              ) : (
                <Button look="quiet" className="-ml-5" onClick={registering.notHere} disabled={busy}>
                  {t('here.later')}
                </Button>
              )
            }
            onSealed={registering.sealed}
          />
        </SealedOnce>
      )}
      {screen === 'done' && <DoneScreen domain={domain} />}
      {screen === 'send' && registration && (
        <SendScreen
          registration={registration}
          sending={registering.sending}
          failure={registering.failure}
          onSend={registering.send}
          onChange={registering.change}
        />
      )}
    </Wizard>
  );
}

type SealedOnceProps = { isSealed: boolean; onNext: () => void; children: ReactNode };

/** Asks again only if the person wants it, where they come back to a step that is done. */
function SealedOnce({ isSealed, onNext, children }: SealedOnceProps) {
  const t = useTranslations('register');
  const [wasSealed] = useState(isSealed);
  const [again, setAgain] = useState(false);
  if (!wasSealed || again) return children;
  return (
    <Question title={t('here.chosen')}>
      <Actions>
        <Button size="large" onClick={onNext}>
          {t('next')}
        </Button>
        <Button look="secondary" size="large" onClick={() => setAgain(true)}>
          {t('here.again')}
        </Button>
      </Actions>
    </Question>
  );
}
