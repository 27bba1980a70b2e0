'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { loadKeepKey } from '../../_keys/keep-key-later.tsx';
import { MayBeCleared } from '../../_keys/may-be-cleared.tsx';
import { Backup } from './backup.tsx';
import { ChangePassphrase } from './change-passphrase.tsx';
import { LockKey } from './lock-key.tsx';
import { Parts } from './part.tsx';
import { Passkey } from './passkey-part.tsx';

/** The copies, the protection and the locking of the current identity's key. */
export function KeyParts() {
  const t = useTranslations('safety.copies');
  useEffect(() => {
    loadKeepKey().catch(() => {});
  }, []);
  return (
    <>
      <Parts title={t('title')}>
        <Backup />
        <Passkey />
        <ChangePassphrase />
        <LockKey />
      </Parts>
      <div className="max-w-prose empty:hidden">
        <MayBeCleared />
      </div>
    </>
  );
}
