'use client';

import { useEffect, useReducer, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { useSteps } from '../../_ui/use-step.ts';
import { BackLink, useProgress, Wizard } from '../../_ui/wizard.tsx';
import { DomainScreen } from './domain-screen.tsx';
import { readAnswers, readRegistration, writeAnswers, writeRegistration } from './kept-registration.ts';
import { type Event, FIRST, keyDomain, next, STEPS, screenOf } from './register-flow.ts';
import { PublicScreen } from './register-public-screen.tsx';
import { SendScreen } from './send-screen.tsx';
import { TypeScreen } from './type-screen.tsx';
import { dropDraftKey, markCopied, useDraftKey } from './use-draft-key.ts';

const loadNameScreen = async () => (await import('./register-name-screen.tsx')).NameScreen;
const loadKeyScreen = async () => (await import('./register-key-screen.tsx')).KeyScreen;
const loadKeepHere = async () => (await import('../../_session/keep-here.tsx')).KeepHere;
const loadLaterScreens = () => Promise.all([loadNameScreen(), loadKeyScreen(), loadKeepHere()]);
const NameScreen = deferred(loadNameScreen, <ScreenSkeleton />);
const KeyScreen = deferred(loadKeyScreen, <ScreenSkeleton />);
const KeepHere = deferred(loadKeepHere, <ScreenSkeleton />);

/** Registers an institution, one question per screen. */
export function Registration({ suffix }: { suffix: string }) {
  const t = useTranslations('register');
  const steps = useSteps();
  const go = useGo();
  const [state, dispatch] = useReducer(next, FIRST);
  const screen = screenOf(steps.requested, state);
  const place = STEPS.indexOf(screen.at);
  const { focus, progress } = useProgress(t('title'), screen.at, STEPS, (step) =>
    t(`steps.${STEPS[step] ?? STEPS[0]}`),
  );
  const [filePassphrase, setFilePassphrase] = useState<string>();
  const draftKey = useDraftKey(keyDomain(state));
  const before = STEPS[place - 1];
  // An institution that cannot be seen may exist: no second one is offered.
  const isUnreadable = useSession().identities.state === 'unreadable';

  useLoadAhead(loadLaterScreens);

  useEffect(() => {
    const registration = readRegistration();
    if (registration) return dispatch({ type: 'resumed', ...registration });
    const answers = readAnswers();
    if (answers) dispatch({ type: 'answersFound', answers });
  }, []);

  useEffect(() => {
    if (state.at === 'registered') return writeAnswers(null);
    const { domain, ieoType, naming, agreed } = state;
    if (domain !== null) writeAnswers({ domain, ieoType, naming, agreed });
  }, [state]);

  const answer = (event: Event) => {
    dispatch(event);
    const after = STEPS[place + 1];
    if (after) steps.go(after);
  };

  if (isUnreadable)
    return (
      <>
        <h1 className="sr-only">{t('title')}</h1>
        <ScreenSkeleton />
      </>
    );

  return (
    <Wizard progress={progress} back={before && screen.at !== 'browser' && <BackLink steps={steps} to={before} />}>
      {screen.at === 'domain' && (
        <DomainScreen
          suffix={suffix}
          focus={focus}
          chosen={screen.domain}
          onChoose={(domain) => answer({ type: 'domainChosen', domain })}
        />
      )}
      {screen.at === 'type' && (
        <TypeScreen
          focus={focus}
          chosen={screen.ieoType}
          onChoose={(ieoType) => answer({ type: 'typeChosen', ieoType })}
        />
      )}
      {screen.at === 'name' && (
        <NameScreen focus={focus} naming={screen.naming} onName={(naming) => answer({ type: 'named', naming })} />
      )}
      {screen.at === 'public' && (
        <PublicScreen
          focus={focus}
          registration={screen.registration}
          onAgree={() => answer({ type: 'agreed' })}
          onChange={() => steps.go('domain')}
        />
      )}
      {screen.at === 'key' && (
        <KeyScreen
          draftKey={draftKey}
          domain={screen.domain}
          onCopied={(passphrase) => {
            setFilePassphrase(passphrase);
            void markCopied(screen.domain);
            answer({ type: 'copied' });
          }}
        />
      )}
      {screen.at === 'send' && draftKey.state === 'made' && (
        <SendScreen
          focus={focus}
          registration={screen.registration}
          signingKey={draftKey.key}
          onRegistered={(ieoId) => {
            writeRegistration({ domain: screen.registration.domain, ieoId });
            answer({ type: 'registered', ieoId });
          }}
          onAnotherDomain={() => steps.go('domain')}
        />
      )}
      {screen.at === 'browser' && draftKey.state === 'made' && (
        <KeepHere
          identity={{ id: screen.ieoId, kind: 'institution', domain: screen.domain, backedUp: true }}
          opened={draftKey.key}
          filePassphrase={filePassphrase}
          lead={<p role="status">{t('browser.lead', { domain: screen.domain })}</p>}
          back={(busy) =>
            !busy && (
              <Button asChild look="quiet" className="-ml-5">
                <LocalLink href="/" onClick={() => writeRegistration(null)}>
                  {t('browser.later')}
                </LocalLink>
              </Button>
            )
          }
          onKept={() => {
            writeRegistration(null);
            return dropDraftKey(screen.domain);
          }}
          onDone={() => go('/institution')}
        />
      )}
    </Wizard>
  );
}
