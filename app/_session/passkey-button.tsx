'use client';

import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SealedByPasskey } from '../_keys/identities.ts';
import { openByPasskey, type PasskeyProblem } from '../_keys/passkey.ts';
import { type Instead, PasskeyTrouble } from '../_keys/passkey-trouble.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';

type PasskeyButtonProps = {
  passkey: SealedByPasskey;
  publicKey: string;
  domain: string;
  instead: Instead;
  onOpened: (key: OpenedKey) => void;
};

/** Opens a key with its passkey. */
export function PasskeyButton({ passkey, publicKey, domain, instead, onOpened }: PasskeyButtonProps) {
  const t = useTranslations('session.unlock');
  const button = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<PasskeyProblem | null>(null);
  const [asking, setAsking] = useState(false);

  useEffect(() => button.current?.focus(), []);

  const open = async () => {
    if (asking) return;
    setAsking(true);
    setProblem(null);
    const opened = await openByPasskey(passkey, publicKey);
    setAsking(false);
    if ('key' in opened) onOpened(opened.key);
    else setProblem(opened.problem);
  };

  return (
    <div className="space-y-4">
      <div role="alert">
        {problem && (
          <Alert tone="caution">
            <PasskeyTrouble problem={problem} passkey={passkey} domain={domain} instead={instead} />
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
