'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { OpenedKey } from '../_keys/secret.ts';
import { send } from '../_session/send.ts';
import { signerOfOpen } from '../_session/signer.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Actions, Question, Refusal } from '../_ui/question.tsx';
import { eligibleWithout, type GuardedIdentity } from './guarded-view.ts';

type ResignProps = {
  signer: OpenedKey;
  guarded: GuardedIdentity;
  onBack: () => void;
  onResigned: () => void;
};

/** Explains a resignation, then signs and sends it. */
export function Resign({ signer, guarded, onBack, onResigned }: ResignProps) {
  const t = useTranslations('guarded.leave');
  const ended = useTranslations('guarded')('ended');
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { beoId, guardianId, needed } = guarded;
  const domain = guarded.domain ?? ended;
  const left = eligibleWithout(guarded);

  const resign = async () => {
    if (sending) return;
    setRefused(null);
    setSending(true);
    const sent = await send('resignGuardian', { beoId, guardianId }, { key: signerOfOpen(signer) });
    setSending(false);
    // A request of an earlier visit was accepted and its response lost: the guardian is removed already.
    if (sent.ok || sent.failure.code === 'NOT_FOUND') return onResigned();
    setRefused(sent.failure.code);
  };

  return (
    <div className="max-w-form pt-3 pb-20">
      <Question title={t('title', { domain })} focus>
        <p className="text-lg">{t('lead')}</p>
        {left < needed && (
          <Alert tone="caution">
            <p>{t('few', { domain, left, needed })}</p>
          </Alert>
        )}
        <p>{t('tell')}</p>
        <p>{t('public')}</p>
        <Refusal code={refused} />
        <Actions>
          <Button size="large" onClick={() => void resign()} busy={sending}>
            {t(sending ? 'sending' : 'yes')}
          </Button>
          <Button look="secondary" size="large" onClick={onBack} disabled={sending}>
            {t('no')}
          </Button>
        </Actions>
      </Question>
    </div>
  );
}
