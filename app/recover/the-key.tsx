'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey } from '../_keys/keep-key.tsx';
import { OpenKey } from '../_keys/open-key.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Actions, NeedsScripts, Question, StepLink } from '../_ui/question.tsx';
import type { Shown } from './screens.tsx';

type TheKeyProps = Shown & { onSaved: () => void; onOpened: (key: OpenedKey) => void; onAnotherKey: () => void };

/** The new key is made and kept; or opened again, where this browser has lost it. */
export function TheKey({ steps, identity, focus, progress, onSaved, onOpened, onAnotherKey }: TheKeyProps) {
  const t = useTranslations('recover.key');
  const shared = useTranslations('guardian');
  const { kept, key, saved, keyless } = progress;
  const [keeping, setKeeping] = useState(false);

  if (keyless) {
    return (
      <Question key="keyless" title={t('failed')} focus={focus}>
        <p>{t('failedBody')}</p>
      </Question>
    );
  }
  if (kept && !key) {
    return (
      <>
        <Alert title={t('lostTitle')} className="mb-5">
          <p>{t('lost')}</p>
        </Alert>
        <OpenKey
          beoId={identity.beo_id}
          beoDomain={identity.domain}
          purpose="holder"
          expectedKey={kept.publicKey}
          onOpened={onOpened}
          heading="h1"
        />
        <Button look="quiet" onClick={onAnotherKey} className="mt-4 -ml-5">
          {t('anotherKey')}
        </Button>
      </>
    );
  }
  if (!key) {
    return (
      <Question key="making" title={t('making')} focus={focus}>
        <p className="unscripted:hidden">{t('makingBody')}</p>
        <NeedsScripts />
      </Question>
    );
  }
  if (saved && !keeping) {
    return (
      <Question key="kept" title={t('kept')} focus={focus}>
        <p>{t('keptBody')}</p>
        <Actions>
          <StepLink steps={steps} to="ask">
            {shared('continue')}
          </StepLink>
          <Button look="secondary" size="large" onClick={() => setKeeping(true)}>
            {t('again')}
          </Button>
        </Actions>
      </Question>
    );
  }
  return <KeepKey secret={key.secret} purpose="holder" beoDomain={identity.domain} onKept={onSaved} heading="h1" />;
}

/** Where a reload would begin anew. */
export function Forgetful() {
  const t = useTranslations('recover.forgetful');
  return (
    <Alert tone="caution" title={t('title')} className="mb-5 print:hidden">
      <p>{t('body')}</p>
    </Alert>
  );
}
