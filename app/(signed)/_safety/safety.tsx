'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { loadKeepKey } from '../../_keys/keep-key-later.tsx';
import { MayBeCleared } from '../../_keys/may-be-cleared.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Backup } from './backup.tsx';
import { ChangePassphrase } from './change-passphrase.tsx';
import { ForgetHere } from './forget-here.tsx';
import { IfWrong } from './if-wrong.tsx';
import { LockKey } from './lock-key.tsx';
import { Part, Parts } from './part.tsx';
import { Passkey } from './passkey-part.tsx';

/** All actions on the key of the current identity. `home`: the first of its pages. */
export function Safety({ home }: { home: '/me' | '/institution' }) {
  const t = useTranslations('safety');

  useEffect(() => {
    loadKeepKey().catch(() => {});
  }, []);

  return (
    <div className="space-y-8">
      <Parts>
        <Backup />
        <Passkey />
        <ChangePassphrase />
        <LockKey />
      </Parts>
      <div className="max-w-prose empty:hidden">
        <MayBeCleared />
      </div>
      <IfWrong home={home} />
      <Parts danger title={t('leave')}>
        <Part
          id="export"
          title={t('export.title')}
          what={t(`export.${home === '/me' ? 'holder' : 'institution'}`)}
          action={
            <Button asChild look="secondary">
              <LocalLink href={`${home}/export`}>{t('export.begin')}</LocalLink>
            </Button>
          }
        />
        <ForgetHere />
        <Part
          id="destroy"
          title={t('destroy.rest')}
          what={t('destroy.restWhat')}
          action={
            <Button asChild look="secondary">
              <LocalLink href={`${home}/destroy`}>{t('destroy.begin')}</LocalLink>
            </Button>
          }
        />
      </Parts>
    </div>
  );
}
