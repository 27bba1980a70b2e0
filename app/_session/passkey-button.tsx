'use client';

import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SealedByPasskey } from '../_keys/identities.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { openByPasskey } from './passkey.ts';

type PasskeyButtonProps = { passkey: SealedByPasskey; publicKey: string; onOpened: (key: OpenedKey) => void };

/** Opens a key with its passkey. */
export function PasskeyButton({ passkey, publicKey, onOpened }: PasskeyButtonProps) {
  const t = useTranslations('session.unlock');
  const button = useRef<HTMLButtonElement>(null);
  const [failed, setFailed] = useState(false);
  const [asking, setAsking] = useState(false);

  useEffect(() => button.current?.focus(), []);

  const open = async () => {
    if (asking) return;
    setAsking(true);
    setFailed(false);
    const opened = await openByPasskey(passkey, publicKey);
    setAsking(false);
    if ('key' in opened) onOpened(opened.key);
    else setFailed(true);
  };

  return (
    <div className="space-y-4">
      <div role="alert">
        {failed && (
          <Alert tone="caution">
            <p>{t('passkeyFailed')}</p>
          </Alert>
        )}
      </div>
      <Button ref={button} size="large" className="w-full" onClick={open} aria-disabled={asking || undefined}>
        <Fingerprint aria-hidden />
        {t('passkey')}
      </Button>
    </div>
  );
}
