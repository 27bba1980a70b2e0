'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { Wizard } from '../../_wizard/wizard.tsx';
import { DomainScreen } from './domain-screen.tsx';
import { writeRegistration } from './kept-registration.ts';
import { registrationIn } from './register-flow.ts';
import { PublicScreen } from './register-public-screen.tsx';
import { TypeScreen } from './type-screen.tsx';
import { useRegistration } from './use-registration.ts';

const loadNameScreen = async () => (await import('./register-name-screen.tsx')).NameScreen;
const loadKeyStep = async () => (await import('../../_wizard/key-step.tsx')).KeyStep;
const loadSealStep = async () => (await import('../../_wizard/keep-here.tsx')).SealStep;
const loadSendScreen = async () => (await import('./send-screen.tsx')).SendScreen;
const loadLaterScreens = () => Promise.all([loadNameScreen(), loadKeyStep(), loadSealStep(), loadSendScreen()]);
const NameScreen = deferred(loadNameScreen, <ScreenSkeleton />);
const KeyStep = deferred(loadKeyStep, <ScreenSkeleton />);
const SealStep = deferred(loadSealStep, <ScreenSkeleton />);
const SendScreen = deferred(loadSendScreen, <ScreenSkeleton />);

/** Registers an institution, one question per screen. */
export function Registration({ suffix }: { suffix: string }) {
  const t = useTranslations('register');
  const { walk, answers, draftKey, keeping, registered, answer, ...registering } = useRegistration();
  const { screen } = walk;
  const { made } = draftKey;
  const registration = registrationIn(answers);
  const domain = registered?.domain ?? answers.domain ?? '';
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
      {screen === 'domain' && (
        <DomainScreen suffix={suffix} chosen={answers.domain} onChoose={(chosen) => answer({ domain: chosen })} />
      )}
      {screen === 'type' && <TypeScreen chosen={answers.ieoType} onChoose={(ieoType) => answer({ ieoType })} />}
      {screen === 'name' && <NameScreen naming={answers.naming} onName={(naming) => answer({ naming })} />}
      {screen === 'public' && registration && (
        <PublicScreen
          registration={registration}
          onAgree={() => answer({ agreed: true })}
          onChange={() => walk.go('domain')}
        />
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
        <SealStep
          opened={made.key}
          identity={{ kind: 'institution', domain }}
          cannotStore={keeping.cannotStore}
          filePassphrase={registering.filePassphrase}
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
      )}
      {screen === 'send' && registration && (
        <SendScreen
          domain={registration.domain}
          sending={registering.sending}
          failure={registering.failure}
          onSend={registering.send}
          onAnotherDomain={registering.anotherDomain}
        />
      )}
    </Wizard>
  );
}
