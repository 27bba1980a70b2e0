'use client';

import { Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../../_keys/identities.ts';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { Dialog } from '../../_ui/dialog.tsx';

type LockButtonProps = { kind: IdentityKind; id: string; domain: string; locked: boolean };

/** Locks or unlocks an identity, from every page. */
export function LockButton({ kind, id, domain, locked }: LockButtonProps) {
  const t = useTranslations('dashboard');
  const write = useWrite();
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const doing = locked ? 'unlockIt' : 'lockIt';

  const change = async () => {
    setSending(true);
    setFailure(null);
    const written =
      kind === 'holder'
        ? await write(locked ? 'unlockBEO' : 'lockBEO', { beoId: id })
        : await write(locked ? 'unlockIEO' : 'lockIEO', { ieoId: id });
    setSending(false);
    if (written.ok) setAsking(false);
    else setFailure(written.failure);
  };

  return (
    <>
      <Button look="secondary" onClick={() => setAsking(true)}>
        {locked ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
        {locked ? t('unlock') : t('emergencyLock')}
      </Button>
      {asking && (
        <Dialog
          title={t(`${doing}.title`, { domain })}
          description={t(`${doing}.${kind}`)}
          onClose={() => setAsking(false)}
        >
          <div className="space-y-4">
            <Refused failure={failure} />
            <div className="flex flex-col gap-3 sm:flex-row">
              <Button size="large" onClick={change} disabled={sending}>
                {t(`${doing}.yes`)}
              </Button>
              <Button look="secondary" size="large" onClick={() => setAsking(false)}>
                {t(`${doing}.no`)}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
