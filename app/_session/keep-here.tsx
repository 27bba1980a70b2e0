'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity, SealedByPasskey } from '../_keys/identities.ts';
import { SealForm } from '../_keys/seal-form.tsx';
import { type OpenedKey, wipe } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Screen } from '../_ui/screen.tsx';
import { PasskeyOffer } from './passkey-offer.tsx';
import { useSession } from './session.tsx';
import { usePasskeys } from './use-passkeys.ts';

type KeepHereProps = {
  identity: Pick<KeptIdentity, 'id' | 'kind' | 'domain' | 'backedUp'>;
  /** Is wiped at the end. */
  opened: OpenedKey;
  /** The passphrase of the key file that was just opened, which can be used again. */
  filePassphrase?: string | null | undefined;
  /** Is shown above the passphrase. */
  lead?: ReactNode;
  /** The back button of the first screen. */
  back?: (busy: boolean) => ReactNode;
  heading?: 'h1' | 'h2';
  /** The key is stored and open; a passkey may still be offered. */
  onKept?: () => void | Promise<void>;
  onDone: () => void;
};

/** Stores a key in this browser under a passphrase, offers a passkey, and opens the key. */
export function KeepHere(props: KeepHereProps) {
  const { identity, opened, filePassphrase, lead, back, heading = 'h1', onKept, onDone } = props;
  const t = useTranslations('session');
  const { keep } = useSession();
  const canPasskey = usePasskeys();
  const [createdAt] = useState(() => new Date());
  const [refused, setRefused] = useState(false);
  const [kept, setKept] = useState<KeptIdentity | null>(null);

  const done = () => {
    wipe(opened);
    onDone();
  };

  const take = async (file: string) => {
    const { publicKey } = opened;
    const taken = { ...identity, publicKey, file, passkey: null, usedAt: new Date().toISOString() };
    const isKept = await keep(taken, opened).then(
      () => true,
      () => false,
    );
    setRefused(!isKept);
    if (!isKept) return;
    await onKept?.();
    if (canPasskey) setKept(taken);
    else done();
  };

  const withPasskey = async (passkey: SealedByPasskey) => {
    if (kept) await keep({ ...kept, passkey });
    done();
  };

  if (kept) {
    return (
      <Screen key="passkey" title={t('passkey.title')} heading={heading} className="space-y-4">
        <PasskeyOffer opened={opened} domain={identity.domain} onSealed={withPasskey} onSkip={done} />
      </Screen>
    );
  }
  return (
    <Screen key="passphrase" title={t('here.title')} heading={heading} className="space-y-4">
      {lead}
      <p>{t('here.lead')}</p>
      <div role="alert">
        {refused && (
          <Alert tone="danger" title={t('here.keepsNothingTitle')}>
            <p>{t('here.keepsNothing')}</p>
          </Alert>
        )}
      </div>
      <SealForm
        content={{ secret: opened.secret, purpose: identity.kind, beoDomain: identity.domain, createdAt }}
        submit={t('here.submit')}
        making={t('here.saving')}
        failed={{ title: t('here.failedTitle'), what: t('here.failed') }}
        filePassphrase={filePassphrase}
        onSealed={take}
        {...(back && { more: back })}
      />
    </Screen>
  );
}
