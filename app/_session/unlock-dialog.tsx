'use client';

import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../_keys/identities.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { Dialog } from '../_ui/dialog.tsx';
import { UnlockForm, type UnlockReason } from './unlock-form.tsx';

type UnlockDialogProps = {
  identity: KeptIdentity;
  why: UnlockReason;
  /** Null where the person cancels. */
  onDone: (key: OpenedKey | null) => void;
};

/** Asks for the passphrase or the passkey at the moment a key is needed. */
export function UnlockDialog({ identity, why, onDone }: UnlockDialogProps) {
  const t = useTranslations('session.unlock');
  return (
    <Dialog
      title={t('title')}
      description={t(why, { domain: identity.domain, by: identity.file === null ? 'passkey' : 'passphrase' })}
      onClose={() => onDone(null)}
    >
      <UnlockForm identity={identity} why={why} onOpened={onDone} />
    </Dialog>
  );
}
