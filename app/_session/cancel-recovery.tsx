'use client';

import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Failure } from '../_trpc/failure.ts';
import { Refused } from '../_trpc/refused.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { useWrite } from './write.tsx';

type CancelProps = { beoId: string; requestId: string; domain: string; onClose: () => void };

/** Explains what cancelling a recovery does, and sends it. It stays open after that, when the request is gone from the page. */
export function CancelRecoveryDialog({ beoId, requestId, domain, onClose }: CancelProps) {
  const t = useTranslations('dashboard.cancelRecovery');
  const write = useWrite();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isDone, setDone] = useState(false);

  const cancel = async () => {
    setSending(true);
    setFailure(null);
    const written = await write('cancelRecovery', { beoId, requestId });
    setSending(false);
    if (written.ok) setDone(true);
    else setFailure(written.failure);
  };

  if (isDone) {
    return (
      <Dialog title={t('doneTitle')} onClose={onClose}>
        <div className="mt-3 space-y-5">
          <p role="status" className="flex gap-2">
            <Check aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
            {t('done')}
          </p>
          <Button size="large" onClick={onClose} className="w-full sm:w-auto">
            {t('close')}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('title', { domain })} description={t('body')} onClose={onClose}>
      <div className="space-y-4">
        <p>{t('limit')}</p>
        <CancelRefused failure={failure} />
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button size="large" onClick={cancel} busy={sending}>
            {t(sending ? 'sending' : 'yes')}
          </Button>
          <Button look="secondary" size="large" onClick={onClose} disabled={sending}>
            {t('no')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Why a recovery was not cancelled. */
export function CancelRefused({ failure }: { failure: Failure | null }) {
  const t = useTranslations('dashboard.cancelRecovery');
  const sentence = failure && SENTENCES[failure.code];
  if (!sentence) return <Refused failure={failure} />;
  return (
    <div role="alert">
      <Alert tone="caution">
        <p>{t(sentence)}</p>
      </Alert>
    </div>
  );
}

const SENTENCES: Readonly<Record<string, 'tooMany' | 'gone' | undefined>> = {
  RECOVERY_COOLDOWN: 'tooMany',
  REQUEST_CLOSED: 'gone',
  NOT_FOUND: 'gone',
};
