'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { PasskeyStep, SealStep } from '../../_wizard/keep-here.tsx';
import { KeyStep } from '../../_wizard/key-step.tsx';
import { DoneScreen, SendScreen } from './create-screens.tsx';
import { hasCopy, type KeptDraft } from './kept-draft.ts';
import type { Creating } from './use-create.ts';

type LaterScreensProps = { creating: Creating; draft: KeptDraft; domain: string };

/** The screens after the name: the key, its copy, the sending and the end. */
export function LaterScreens({ creating, draft, domain }: LaterScreensProps) {
  const t = useTranslations('create');
  const { walk, draftKey, keeping } = creating;
  const key = draftKey.made?.key;
  switch (walk.screen) {
    case 'key':
      return (
        <KeyStep
          draft={draftKey}
          hasCopy={hasCopy(draft)}
          purpose="holder"
          beoDomain={domain}
          notice={
            draft.copy &&
            !hasCopy(draft) && (
              <Alert className="mb-5">
                <p>{t('key.otherName', { domain, before: draft.copy.domain })}</p>
              </Alert>
            )
          }
          onCopied={creating.copied}
          onNext={walk.next}
        />
      );
    case 'here':
    case 'keep':
      return (
        key && (
          <SealStep
            opened={key}
            identity={{ kind: 'holder', domain }}
            cannotStore={keeping.cannotStore}
            filePassphrase={creating.filePassphrase}
            notice={
              walk.screen === 'keep' && (
                <Alert>
                  <p>{t('here.created', { domain })}</p>
                </Alert>
              )
            }
            onSealed={creating.sealed}
          />
        )
      );
    case 'send':
      return (
        <SendScreen domain={domain} sending={creating.sending} failure={creating.failure} onSend={creating.send} />
      );
    case 'passkey':
      return key && <PasskeyStep opened={key} keeping={keeping} />;
    default:
      return <DoneScreen domain={domain} required={creating.required} />;
  }
}
