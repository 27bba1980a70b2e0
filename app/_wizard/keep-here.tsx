'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../_keys/identities.ts';
import { SealForm } from '../_keys/seal-form.tsx';
import { type OpenedKey, wipe } from '../_keys/secret.ts';
import { PasskeyOffer } from '../_session/passkey-offer.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Question } from '../_ui/question.tsx';
import { type Keeping, useKeeping } from './use-keeping.ts';

type SealStepProps = {
  opened: OpenedKey;
  identity: Pick<KeptIdentity, 'kind' | 'domain'>;
  cannotStore: boolean;
  /** The passphrase of the key file that was made or opened, which can be used again. */
  filePassphrase?: string | null | undefined;
  /** Where there is an old passphrase too: the label of the new one. */
  label?: string;
  /** Shown above the explanation. */
  notice?: ReactNode;
  /** Other actions; `busy` while the key is sealed. */
  more?: (busy: boolean) => ReactNode;
  /** Receives the text of a key file under the passphrase. */
  onSealed: (file: string) => void | Promise<void>;
};

/** Asks for the passphrase of the key in this browser. */
export function SealStep({ opened, identity, cannotStore, notice, ...form }: SealStepProps) {
  const t = useTranslations('session.here');
  const [createdAt] = useState(() => new Date());
  return (
    <Question key="passphrase" title={t('title')}>
      {notice}
      <div role="alert">
        {cannotStore && (
          <Alert tone="danger" title={t('keepsNothingTitle')}>
            <p>{t('keepsNothing')}</p>
          </Alert>
        )}
      </div>
      <p>{t('lead')}</p>
      <SealForm
        {...form}
        content={{ secret: opened.secret, purpose: identity.kind, beoDomain: identity.domain, createdAt }}
        submit={t('submit')}
        making={t('saving')}
        failed={{ title: t('failedTitle'), what: t('failed') }}
      />
    </Question>
  );
}

type PasskeyStepProps = { opened: OpenedKey; keeping: Keeping; notice?: ReactNode };

/** Offers a passkey for the key that was stored. */
export function PasskeyStep({ opened, keeping, notice }: PasskeyStepProps) {
  const t = useTranslations('session.passkey');
  const { offer, passkeyDecided } = keeping;
  if (!offer) return null;
  return (
    <Question key="passkey" title={t('title')}>
      {notice}
      <PasskeyOffer
        opened={opened}
        domain={offer.identity.domain}
        existing={offer.existing}
        onSealed={passkeyDecided}
        onSkip={() => void passkeyDecided(null)}
      />
    </Question>
  );
}

type KeepHereProps = Pick<SealStepProps, 'filePassphrase' | 'notice'> & {
  identity: Pick<KeptIdentity, 'id' | 'kind' | 'domain' | 'backedUp'>;
  /** Is wiped at the end. */
  opened: OpenedKey;
  /** The key is stored and open; a passkey may still be offered. */
  onKept: () => Promise<void>;
  onDone: () => void;
};

/** Stores the key of an identity that exists in this browser, and offers a passkey. */
export function KeepHere({ identity, opened, onKept, onDone, ...shown }: KeepHereProps) {
  const keeping = useKeeping(() => {
    wipe(opened);
    onDone();
  });
  if (keeping.offer) return <PasskeyStep opened={opened} keeping={keeping} />;
  const { publicKey } = opened;
  return (
    <SealStep
      {...shown}
      opened={opened}
      identity={identity}
      cannotStore={keeping.cannotStore}
      onSealed={async (file) => {
        await keeping.store({ ...identity, publicKey, file }, opened, { onStored: onKept });
      }}
    />
  );
}
