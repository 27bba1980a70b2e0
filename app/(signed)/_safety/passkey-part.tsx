'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { disownPasskey } from '../../_keys/passkey.ts';
import { usePasskeys } from '../../_keys/use-passkeys.ts';
import { PasskeyOffer } from '../../_session/passkey-offer.tsx';
import { useSession } from '../../_session/session.tsx';
import { useRevealed } from '../../_session/use-revealed.ts';
import { Button } from '../../_ui/button.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { Done, Part } from './part.tsx';

/** The passkey that opens the key in this browser, beside the passphrase or alone. */
export function Passkey() {
  const t = useTranslations('safety');
  const { current, keep } = useSession();
  const { key, show, hide } = useRevealed();
  const can = usePasskeys();
  const [done, setDone] = useState<'added' | 'removed' | null>(null);

  if (!current) return null;
  const { domain, passkey, file } = current;
  const isOnly = file === null;
  if (key) {
    return (
      <Part id="passkey">
        <Screen title={t('passkey.title')} className="space-y-4">
          <PasskeyOffer
            opened={key}
            domain={domain}
            besides={t('passkey.besides')}
            add={t('passkey.add')}
            skip={t('notNow')}
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
      what={
        passkey ? t(isOnly ? 'passkey.only' : 'passkey.have') : can === false ? t('passkey.cannot') : t('passkey.what')
      }
      action={
        passkey
          ? !isOnly && (
              <Button look="secondary" onClick={remove}>
                {t('passkey.remove')}
              </Button>
            )
          : can && (
              <Button look="secondary" onClick={show}>
                {t('passkey.add')}
              </Button>
            )
      }
    >
      <Done>{done && t(`passkey.${done}`)}</Done>
    </Part>
  );
}
