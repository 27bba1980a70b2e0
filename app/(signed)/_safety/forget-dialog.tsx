'use client';

import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { disownPasskey } from '../../_keys/passkey.ts';
import { useSession } from '../../_session/session.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Dialog } from '../../_ui/dialog.tsx';
import { dropLeftovers } from './replacement.ts';

type ForgetDialogProps = { identity: KeptIdentity; onClose: () => void; onForgotten?: () => void };

/** Asks before a key is deleted from this browser: without a copy it would be lost. */
export function ForgetDialog({ identity, onClose, onForgotten }: ForgetDialogProps) {
  const t = useTranslations('safety.forget');
  const { forget } = useSession();
  const { id, kind, domain, backedUp, passkey } = identity;

  const go = async () => {
    await dropLeftovers(identity);
    await forget(id);
    if (passkey) void disownPasskey(passkey);
    onClose();
    onForgotten?.();
  };

  return (
    <Dialog title={t('ask', { domain })} description={t('stays', { domain })} onClose={onClose}>
      <div className="space-y-5">
        {backedUp ? (
          <p>{t('backedUp')}</p>
        ) : (
          <Alert tone="danger" title={t('noBackupTitle')}>
            <p>{t('noBackup', { kind, domain })}</p>
          </Alert>
        )}
        {kind === 'institution' && <p>{t('local')}</p>}
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button size="large" look={backedUp ? 'primary' : 'secondary'} onClick={go}>
            {t(backedUp ? 'yes' : 'anyway')}
          </Button>
          <Button size="large" look={backedUp ? 'secondary' : 'primary'} onClick={onClose}>
            {t('no')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
