'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { ReloadButton } from '../../_ui/not-loaded.tsx';
import { Question } from '../../_ui/question.tsx';
import type { Steps } from '../../_ui/use-step.ts';
import type { Screen } from './create-flow.ts';
import { DoneScreen, HasCopy, PasskeyScreen, SealScreen, SendScreen } from './create-screens.tsx';
import type { Creating } from './use-create.ts';

/** The screens that need the key. */
export type LaterScreen = Exclude<Screen, { at: 'loading' | 'past' | 'name' | 'public' }>;

type LaterScreensProps = { steps: Steps; focus: boolean; creating: Creating; screen: LaterScreen };

/** The screens after the name: the key, its copy, the sending and the end. */
export function LaterScreens({ steps, focus, creating, screen }: LaterScreensProps) {
  const t = useTranslations('create');
  const [createdAt] = useState(() => new Date());
  const [filePassphrase, setFilePassphrase] = useState<string>();
  switch (screen.at) {
    case 'key':
    case 'here':
      switch (screen.shows) {
        case 'keyMissing':
          return (
            <Question key="making" title={screen.failed ? t('key.failed') : t('key.making')} focus={focus}>
              <p>{screen.failed ? t('key.failedBody') : t('key.makingBody')}</p>
              {screen.failed && <ReloadButton />}
            </Question>
          );
        case 'hasCopy':
          return <HasCopy steps={steps} focus={focus} onAgain={creating.copyAgain} />;
        case 'makeCopy':
          return (
            <>
              {screen.otherDomain !== null && (
                <Alert className="mb-5">
                  <p>{t('key.otherName', { domain: screen.domain, before: screen.otherDomain })}</p>
                </Alert>
              )}
              <KeepKey
                secret={screen.key.secret}
                purpose="holder"
                beoDomain={screen.domain}
                heading="h1"
                onKept={(as, passphrase) => {
                  setFilePassphrase(passphrase);
                  creating.copied(as);
                }}
              />
            </>
          );
        case 'seal':
          return (
            <SealScreen
              focus={focus}
              content={{ secret: screen.key.secret, purpose: 'holder', beoDomain: screen.domain, createdAt }}
              filePassphrase={filePassphrase}
              created={screen.id !== null}
              cannotStore={screen.cannotStore}
              onSealed={(file) => creating.sealed(file, screen.id)}
            />
          );
      }
      break;
    case 'send':
      return <SendScreen {...screen} focus={focus} onSend={creating.send} />;
    case 'passkey':
      return (
        <PasskeyScreen
          opened={screen.key}
          domain={screen.identity.domain}
          onDecided={(passkey) => void creating.passkeyDecided(passkey)}
        />
      );
    case 'done':
      return <DoneScreen domain={screen.domain} required={screen.required} />;
  }
}
