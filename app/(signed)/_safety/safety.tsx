'use client';

import { useTranslations } from 'use-intl/react';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { Backup } from './backup.tsx';
import { ChangePassphrase } from './change-passphrase.tsx';
import { ForgetHere } from './forget-here.tsx';
import { LockKey } from './lock-key.tsx';
import { Part } from './part.tsx';
import { Passkey } from './passkey.tsx';
import { ReplaceKey } from './replace-key.tsx';

/** All actions on the key of the current identity. */
export function Safety({ destroyHref }: { destroyHref: string }) {
  const t = useTranslations('safety');
  return (
    <div className="space-y-5">
      <Backup />
      <Passkey />
      <ChangePassphrase />
      <LockKey />
      <ReplaceKey />
      <ForgetHere />
      <Part id="destroy" title={t('destroy.rest')}>
        <p>{t('destroy.restWhat')}</p>
        <LocalLink href={destroyHref} className={textLink}>
          {t('destroy.begin')}
        </LocalLink>
      </Part>
    </div>
  );
}
