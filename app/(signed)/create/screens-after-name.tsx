'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { SealStep } from '../../_wizard/keep-here.tsx';
import { WithKey } from '../../_wizard/key-step.tsx';
import { CopyScreen, DoneScreen, SendScreen } from './create-screens.tsx';
import type { Creating } from './use-create.ts';

/** The screens after the name: the protection of the key, the sending, its copy and the end. */
export function ScreensAfterName({ creating, domain }: { creating: Creating; domain: string }) {
  const t = useTranslations('create');
  const { walk, draftKey, keeping } = creating;
  const { made } = draftKey;
  // Where this browser stores nothing, the copy is the only key once the page is closed.
  const copiesFirst = made !== null && (!made.stored || keeping.cannotStore) && !creating.hasCopy;
  switch (walk.screen) {
    case 'here':
    case 'keep':
      return (
        <WithKey draft={draftKey}>
          {({ key }) =>
            copiesFirst ? (
              <CopyScreen secret={key.secret} domain={domain} onCopied={creating.copied} />
            ) : (
              <SealStep
                opened={key}
                identity={{ kind: 'holder', domain }}
                cannotStore={keeping.cannotStore}
                filePassphrase={creating.filePassphrase}
                existing={made?.protection?.passkey ?? null}
                notice={
                  walk.screen === 'keep' && (
                    <Alert>
                      <p>{t('here.created', { domain })}</p>
                      <p>{t('send.own')}</p>
                    </Alert>
                  )
                }
                onSealed={creating.sealed}
              />
            )
          }
        </WithKey>
      );
    case 'send':
      return (
        <SendScreen domain={domain} sending={creating.sending} failure={creating.failure} onSend={creating.send} />
      );
    case 'copy':
      return (
        made && (
          <CopyScreen
            secret={made.key.secret}
            domain={domain}
            onCopied={creating.copied}
            onLater={creating.copiedLater}
          />
        )
      );
    default:
      return <DoneScreen domain={domain} hasCopy={creating.hasCopy} />;
  }
}
