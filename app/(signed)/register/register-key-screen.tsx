'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { ReloadButton } from '../../_ui/not-loaded.tsx';
import { Screen } from '../../_ui/screen.tsx';
import type { DraftKey } from './use-draft-key.ts';

type KeyScreenProps = { draftKey: DraftKey; domain: string; onCopied: (filePassphrase?: string) => void };

/** Makes a key, and lets the person make a copy of it. */
export function KeyScreen({ draftKey, domain, onCopied }: KeyScreenProps) {
  const t = useTranslations('register');
  const [again, setAgain] = useState(false);
  if (draftKey.state !== 'made') {
    const failed = draftKey.state === 'failed';
    return (
      <Screen key={draftKey.state} title={t(failed ? 'key.failed' : 'key.making')} heading="h1" className="space-y-4">
        <p>{t(failed ? 'key.failedBody' : 'key.makingBody')}</p>
        {failed && <ReloadButton />}
      </Screen>
    );
  }
  if (draftKey.hasCopy && !again) {
    return (
      <Screen key="kept" title={t('key.kept')} heading="h1" className="space-y-4">
        <p>{t('key.keptBody')}</p>
        <Actions>
          <Button size="large" onClick={() => onCopied()}>
            {t('next')}
          </Button>
          <Button look="secondary" size="large" onClick={() => setAgain(true)}>
            {t('key.again')}
          </Button>
        </Actions>
      </Screen>
    );
  }
  return (
    <>
      {!draftKey.stored && (
        <Alert tone="caution" title={t('key.forgetful')} className="mb-5 print:hidden">
          <p>{t('key.forgetfulBody')}</p>
        </Alert>
      )}
      <KeepKey
        secret={draftKey.key.secret}
        purpose="institution"
        beoDomain={domain}
        onKept={(_, filePassphrase) => onCopied(filePassphrase)}
        heading="h1"
      />
    </>
  );
}
