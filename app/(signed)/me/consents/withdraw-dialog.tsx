'use client';

import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { useWrite } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';
import { operationFor, type Withdrawal } from './withdrawal.ts';

type WithdrawDialogProps = {
  withdrawal: Withdrawal;
  /** Whether all consents are loaded, so that the count is right. */
  counted: boolean;
  onClose: (withdrawn: boolean) => void;
};

/** Explains a withdrawal, asks for confirmation, and reports the outcome. */
export function WithdrawDialog({ withdrawal, counted, onClose }: WithdrawDialogProps) {
  const t = useTranslations('consents.withdrawing');
  const { kept } = useHolder();
  const write = useWrite();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [ended, setEnded] = useState<number | null>(null);

  const parts = {
    who: withdrawal.kind === 'one' || withdrawal.kind === 'grantee' ? withdrawal.who : '',
    own: 'own' in withdrawal && withdrawal.own ? 'yes' : 'no',
    intent: withdrawal.kind === 'intent' ? withdrawal.intent : '',
    count: withdrawal.kind === 'one' ? 1 : withdrawal.count,
  };
  const withdraw = async () => {
    setSending(true);
    setFailure(null);
    const { operation, fields } = operationFor(withdrawal, kept.id);
    const written = await write(operation, fields);
    setSending(false);
    if (written.ok)
      setEnded(written.answer && 'revoked_count' in written.answer ? written.answer.revoked_count : parts.count);
    else if (written.failure?.code === 'TOKEN_ALREADY_REVOKED') setEnded(0);
    else setFailure(written.failure);
  };

  const close = () => onClose(ended !== null);

  if (ended !== null) {
    return (
      <Dialog title={t('doneTitle')} onClose={close}>
        <div className="mt-3 space-y-5">
          <p role="status" className="flex gap-2">
            <Check aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
            {t('done', { count: ended })}
          </p>
          <Button size="large" onClick={close} className="w-full sm:w-auto">
            {t('close')}
          </Button>
        </div>
      </Dialog>
    );
  }

  return (
    <Dialog
      title={t(`title.${withdrawal.kind}`, parts)}
      description={t(`ends.${withdrawal.kind}`, parts)}
      onClose={close}
    >
      <div className="space-y-4">
        {!counted && withdrawal.kind !== 'one' && <p>{t('atLeast')}</p>}
        <p>{t('notUnread')}</p>
        <Refused failure={failure} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Button size="large" look="secondary" onClick={withdraw} busy={sending}>
            {sending ? t('sending') : t('yes', parts)}
          </Button>
          <Button size="large" look="secondary" onClick={close} disabled={sending}>
            {t('no', parts)}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
