'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Actions } from '../../_keys/actions.tsx';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { Screen } from '../../_keys/screen.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import type { Making } from './use-draft-key.ts';

type KeyScreenProps = { making: Making; domain: string; onCopied: () => void };

/** The key is made, and the person takes a copy that stays with them. */
export function KeyScreen({ making, domain, onCopied }: KeyScreenProps) {
  const t = useTranslations('register');
  const [again, setAgain] = useState(false);
  if (making.state !== 'made') {
    const failed = making.state === 'failed';
    return (
      <Screen key={making.state} title={t(failed ? 'key.failed' : 'key.making')} heading="h1" className="space-y-4">
        <p>{t(failed ? 'key.failedBody' : 'key.makingBody')}</p>
      </Screen>
    );
  }
  if (making.saved && !again) {
    return (
      <Screen key="kept" title={t('key.kept')} heading="h1" className="space-y-4">
        <p>{t('key.keptBody')}</p>
        <Actions>
          <Button size="large" onClick={onCopied}>
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
      {!making.kept && (
        <Alert tone="caution" title={t('key.forgetful')} className="mb-5 print:hidden">
          <p>{t('key.forgetfulBody')}</p>
        </Alert>
      )}
      <KeepKey secret={making.key.secret} purpose="institution" beoDomain={domain} onKept={onCopied} heading="h1" />
    </>
  );
}
