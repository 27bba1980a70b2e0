'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { disownPasskey } from '../../_session/passkey.ts';
import { PasskeyOffer } from '../../_session/passkey-offer.tsx';
import { useSession } from '../../_session/session.tsx';
import { usePasskeys } from '../../_session/use-passkeys.ts';
import { Button } from '../../_ui/button.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { Done, Part } from './part.tsx';
import { useRevealed } from './use-revealed.ts';

/** A passkey as a second way to open the key in this browser. */
export function Passkey() {
  const t = useTranslations('safety');
  const { current, keep } = useSession();
  const { key, show, hide } = useRevealed();
  const can = usePasskeys();
  const [done, setDone] = useState<'added' | 'removed' | null>(null);

  if (!current) return null;
  const { domain, passkey } = current;
  if (key) {
    return (
      <Part id="passkey">
        <Screen title={t('passkey.title')} className="space-y-4">
          <PasskeyOffer
            opened={key}
            domain={domain}
            onSealed={async (sealed) => {
              await keep({ ...current, passkey: sealed });
              hide();
              setDone('added');
            }}
            onSkip={hide}
          />
        </Screen>
      </Part>
    );
  }
  const remove = async () => {
    if (!passkey) return;
    await keep({ ...current, passkey: null });
    setDone('removed');
    await disownPasskey(passkey);
  };
  return (
    <Part
      id="passkey"
      title={t('passkey.title')}
      what={passkey ? t('passkey.have') : can === false ? t('passkey.cannot') : t('passkey.what')}
      action={
        passkey ? (
          <Button look="secondary" onClick={remove}>
            {t('passkey.remove')}
          </Button>
        ) : (
          can && (
            <Button look="secondary" onClick={show}>
              {t('passkey.add')}
            </Button>
          )
        )
      }
    >
      <Done>{done && t(`passkey.${done}`)}</Done>
    </Part>
  );
}
