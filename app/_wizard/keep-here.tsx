'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity, Protection, SealedByPasskey } from '../_keys/identities.ts';
import { SealForm } from '../_keys/seal-form.tsx';
import { type OpenedKey, wipe } from '../_keys/secret.ts';
import { usePasskeys } from '../_keys/use-passkeys.ts';
import { PasskeyOffer } from '../_session/passkey-offer.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Question } from '../_ui/question.tsx';
import { ScreenSkeleton } from '../_ui/skeletons.tsx';
import { useKeeping } from './use-keeping.ts';

type SealStepProps = {
  opened: OpenedKey;
  identity: Pick<KeptIdentity, 'kind' | 'domain'>;
  cannotStore: boolean;
  /** The passkey of the key before, if it was replaced. */
  existing?: SealedByPasskey | null;
  /** The passphrase of the key file that was made or opened, which can be used again. */
  filePassphrase?: string | null | undefined;
  /** Where there is an old passphrase too: the label of the new one. */
  label?: string;
  /** Shown above the explanation. */
  notice?: ReactNode;
  /** Other actions; `busy` while the key is sealed. */
  more?: (busy: boolean) => ReactNode;
  onSealed: (sealed: Protection) => void | Promise<void>;
};

/** Protects the key in this browser: with a passkey, or with a passphrase where there is none or the person prefers it. */
export function SealStep({ opened, identity, cannotStore, existing = null, notice, onSealed, ...form }: SealStepProps) {
  const t = useTranslations('session.here');
  const canPasskey = usePasskeys();
  const [asksPassphrase, setAsksPassphrase] = useState(false);
  const [createdAt] = useState(() => new Date());
  const { kind, domain } = identity;

  if (canPasskey === null) return <ScreenSkeleton />;
  const above = (
    <>
      {notice}
      <div role="alert">
        {cannotStore && (
          <Alert tone="danger" title={t('keepsNothingTitle')}>
            <p>{t('keepsNothing')}</p>
          </Alert>
        )}
      </div>
    </>
  );
  if (canPasskey && !asksPassphrase)
    return (
      <Question key="passkey" title={t('passkeyTitle')}>
        {above}
        <PasskeyOffer
          opened={opened}
          domain={domain}
          existing={existing}
          besides={t('passkeyOnly')}
          add={t('passkeyMake')}
          skip={t('passphraseInstead')}
          onSealed={(passkey) => onSealed({ file: null, passkey })}
          onSkip={() => setAsksPassphrase(true)}
          more={form.more}
        />
      </Question>
    );
  return (
    <Question key="passphrase" title={t('title')}>
      {above}
      <p>{t('lead')}</p>
      <SealForm
        {...form}
        content={{ secret: opened.secret, purpose: kind, beoDomain: domain, createdAt }}
        submit={t('submit')}
        making={t('saving')}
        failed={{ title: t('failedTitle'), what: t('failed') }}
        onSealed={(file) => onSealed({ file, passkey: null })}
      />
    </Question>
  );
}

type KeepHereProps = Pick<SealStepProps, 'filePassphrase' | 'notice'> & {
  identity: Pick<KeptIdentity, 'id' | 'kind' | 'domain' | 'backedUp'>;
  /** Is wiped at the end. */
  opened: OpenedKey;
  /** The key is stored and open. */
  onKept: () => Promise<void>;
  onDone: () => void;
};

/** Stores the key of an identity that exists in this browser. */
export function KeepHere({ identity, opened, onKept, onDone, ...shown }: KeepHereProps) {
  const keeping = useKeeping(() => {
    wipe(opened);
    onDone();
  });
  const { publicKey } = opened;
  return (
    <SealStep
      {...shown}
      opened={opened}
      identity={identity}
      cannotStore={keeping.cannotStore}
      onSealed={async (sealed) => {
        await keeping.store({ ...identity, publicKey, ...sealed }, opened, onKept);
      }}
    />
  );
}
