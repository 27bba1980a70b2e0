'use client';

import { useTranslations } from 'use-intl/react';
import { OpenKey } from '../_keys/open-key.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import type { KeptRecovery } from './kept-recovery.ts';

type LostKeyProps = {
  kept: KeptRecovery;
  onOpened: (key: OpenedKey, kept: KeptRecovery) => void;
  onAnotherKey: () => void;
};

/** Opens the new key from its copy, where this browser has lost it. */
export function LostKey({ kept, onOpened, onAnotherKey }: LostKeyProps) {
  const t = useTranslations('recover.key');
  return (
    <>
      <Alert title={t('lostTitle')} className="mb-5">
        <p>{t('lost')}</p>
      </Alert>
      <OpenKey
        beoId={kept.beoId}
        beoDomain={kept.domain}
        purpose="holder"
        expectedKey={kept.publicKey}
        onOpened={(key) => onOpened(key, kept)}
        heading="h1"
      />
      <Button look="quiet" onClick={onAnotherKey} className="mt-4 -ml-5">
        {t('anotherKey')}
      </Button>
    </>
  );
}
