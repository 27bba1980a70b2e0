'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { SealStep } from '../../_wizard/keep-here.tsx';
import { KeyStep } from '../../_wizard/key-step.tsx';
import { DoneScreen } from './done-screen.tsx';
import { writeRegistration } from './kept-registration.ts';
import { SendScreen } from './send-screen.tsx';
import type { useRegistration } from './use-registration.ts';

/** The screens after the first: the copy of the key, its protection, the request and the end. */
export function RegistrationScreens({ registering }: { registering: ReturnType<typeof useRegistration> }) {
  const t = useTranslations('register');
  const { walk, registration, domain, draftKey, keeping, registered } = registering;
  const { screen } = walk;
  const { made } = draftKey;
  return (
    <>
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
    </>
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
