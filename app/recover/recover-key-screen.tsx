'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey } from '../_keys/keep-key.tsx';
import { OpenKey } from '../_keys/open-key.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { ReloadButton } from '../_ui/not-loaded.tsx';
import { Actions, NeedsScripts, Question } from '../_ui/question.tsx';
import { StepLink } from '../_ui/wizard.tsx';
import type { KeptRecovery } from './kept-recovery.ts';
import type { KeyScreenState } from './recover-flow.ts';
import type { Shown } from './recover-screens.tsx';

type KeyScreenProps = Shown & {
  screen: KeyScreenState;
  onCopied: () => void;
  onOpened: (key: OpenedKey, kept: KeptRecovery) => void;
  onAnotherKey: () => void;
};

/** The new key is made and copied; or opened from a copy, where this browser has lost it. */
export function KeyScreen({ steps, identity, focus, screen, onCopied, onOpened, onAnotherKey }: KeyScreenProps) {
  const t = useTranslations('recover.key');
  const shared = useTranslations('guardian');
  const [copiesAgain, setCopiesAgain] = useState(false);

  if (screen.shows === 'failed') {
    return (
      <Question key="keyless" title={t('failed')} focus={focus}>
        <p>{t('failedBody')}</p>
        <ReloadButton />
      </Question>
    );
  }
  if (screen.shows === 'lost') {
    return (
      <>
        <Alert title={t('lostTitle')} className="mb-5">
          <p>{t('lost')}</p>
        </Alert>
        <OpenKey
          beoId={identity.beo_id}
          beoDomain={identity.domain}
          purpose="holder"
          expectedKey={screen.kept.publicKey}
          onOpened={(key) => onOpened(key, screen.kept)}
          heading="h1"
        />
        <Button look="quiet" onClick={onAnotherKey} className="mt-4 -ml-5">
          {t('anotherKey')}
        </Button>
      </>
    );
  }
  if (screen.shows === 'making') {
    return (
      <Question key="making" title={t('making')} focus={focus}>
        <p className="unscripted:hidden">{t('makingBody')}</p>
        <NeedsScripts />
      </Question>
    );
  }
  if (screen.hasCopy && !copiesAgain) {
    return (
      <Question key="kept" title={t('kept')} focus={focus}>
        <p>{t('keptBody')}</p>
        <Actions>
          <StepLink steps={steps} to="ask">
            {shared('continue')}
          </StepLink>
          <Button look="secondary" size="large" onClick={() => setCopiesAgain(true)}>
            {t('again')}
          </Button>
        </Actions>
      </Question>
    );
  }
  return (
    <KeepKey secret={screen.key.secret} purpose="holder" beoDomain={identity.domain} onKept={onCopied} heading="h1" />
  );
}

/** A warning that a reload begins again. */
export function NotStored() {
  const t = useTranslations('recover.forgetful');
  return (
    <Alert tone="caution" title={t('title')} className="mb-5 print:hidden">
      <p>{t('body')}</p>
    </Alert>
  );
}
