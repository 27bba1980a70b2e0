'use client';

import { Snowflake } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../_keys/identities.ts';
import type { Failure } from '../_trpc/failure.ts';
import { Refused } from '../_trpc/refused.tsx';
import { Button } from '../_ui/button.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { useWrite } from './write.tsx';

type FreezeProps = { kind: IdentityKind; id: string; domain: string; frozen: boolean };

/** Freezes or unfreezes an identity: lockBEO, unlockBEO, lockIEO, unlockIEO. */
export function FreezeButton(props: FreezeProps) {
  const t = useTranslations('dashboard');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setAsking(true)}>
        <Snowflake aria-hidden />
        {props.frozen ? t('unlock') : t('emergencyLock')}
      </Button>
      {asking && <FreezeDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Explains freezing, and sends the request. */
export function FreezeDialog({ kind, id, domain, onClose, ...props }: FreezeProps & { onClose: () => void }) {
  const t = useTranslations('dashboard');
  // A request without a response may have been accepted: the dialog must not offer the opposite then.
  const [frozen] = useState(props.frozen);
  const write = useWrite();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const texts = frozen ? 'unlockIt' : 'lockIt';

  const change = async () => {
    setSending(true);
    setFailure(null);
    const written =
      kind === 'holder'
        ? await write(frozen ? 'unlockBEO' : 'lockBEO', { beoId: id })
        : await write(frozen ? 'unlockIEO' : 'lockIEO', { ieoId: id });
    setSending(false);
    if (written.ok) onClose();
    else setFailure(written.failure);
  };

  return (
    <Dialog title={t(`${texts}.title`, { domain })} description={t(`${texts}.${kind}`)} onClose={onClose}>
      <div className="space-y-4">
        <Refused failure={failure} />
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button size="large" onClick={change} busy={sending}>
            {t(sending ? `${texts}.sending` : `${texts}.yes`)}
          </Button>
          <Button look="secondary" size="large" onClick={onClose} disabled={sending}>
            {t(`${texts}.no`)}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
