'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../../../protocol/ieo.ts';
import { useWrite } from '../../../../_session/write.tsx';
import type { Failure } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Dialog } from '../../../../_ui/dialog.tsx';
import { Identifier } from '../../../../_ui/identifier.tsx';
import { Fact } from '../../../../_ui/scope-summary.tsx';
import { useDay } from '../../../../_ui/use-day.ts';
import { Part } from '../../../_safety/part.tsx';
import { configurationOf, type Person } from './configuration.ts';
import { RecoveryForm } from './recovery-form.tsx';

type Institution = Pick<IeoView, 'ieo_id' | 'public_key' | 'recovery' | 'status'>;

/** Whom an institution has named for a recovery: stored and shown, though none can be executed yet (protocol §3). */
export function RecoveryPart({ institution }: { institution: Institution }) {
  const t = useTranslations('institution.settings.recovery');
  const write = useWrite();
  const [doing, setDoing] = useState<'naming' | 'removing' | null>(null);
  const [isSending, setSending] = useState(false);
  const [done, setDone] = useState<'saved' | 'removed' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { ieo_id: ieoId, public_key: ownKey, recovery, status } = institution;
  const { guardians } = recovery;

  const begin = (what: 'naming' | 'removing') => {
    setFailure(null);
    setDone(null);
    setDoing(what);
  };

  const send = async (people: readonly Person[] | null) => {
    if (isSending) return;
    setFailure(null);
    setSending(true);
    const written = await write('updateRecovery', { ieoId, recovery: people && configurationOf(people) });
    setSending(false);
    if (!written.ok) return setFailure(written.failure);
    setDoing(null);
    setDone(people ? 'saved' : 'removed');
  };

  return (
    <Part id="recovery" title={t('title')}>
      <p>{t('lead')}</p>
      <p className="font-semibold">{t('notYet')}</p>
      {guardians.length > 0 && (
        <dl className="space-y-2">
          {guardians.map(({ guardian_id, role, public_key, added_at }) => (
            <Named key={guardian_id} name={t(`person.${role}`)} publicKey={public_key} at={added_at} />
          ))}
        </dl>
      )}
      <p role="status" className="font-semibold text-accent-ink empty:hidden">
        {done && t(done)}
      </p>
      {doing === 'naming' ? (
        <RecoveryForm
          ownKey={ownKey}
          replaces={guardians.length > 0}
          isSending={isSending}
          failure={failure}
          onSend={(people) => void send(people)}
          onCancel={() => setDoing(null)}
        />
      ) : (
        status === 'ACTIVE' && (
          <div className="flex flex-col gap-3 sm:flex-row">
            <Button look="secondary" onClick={() => begin('naming')}>
              {t(guardians.length > 0 ? 'change' : 'nameSome')}
            </Button>
            {guardians.length > 0 && (
              <Button look="quiet" onClick={() => begin('removing')}>
                {t('remove')}
              </Button>
            )}
          </div>
        )
      )}
      {doing === 'removing' && (
        <Dialog title={t('removeTitle')} description={t('removeWhat')} onClose={() => setDoing(null)}>
          <div className="space-y-4">
            <Refused failure={failure} />
            <div className="flex flex-col gap-3 sm:flex-row">
              <Button size="large" onClick={() => void send(null)} aria-disabled={isSending || undefined}>
                {t(isSending ? 'sending' : 'removeYes')}
              </Button>
              <Button size="large" look="secondary" onClick={() => setDoing(null)}>
                {t('cancel')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Part>
  );
}

type NamedProps = { name: string; publicKey: string | null; at: string };

/** What is public of one of them. */
function Named({ name, publicKey, at }: NamedProps) {
  const t = useTranslations('institution.settings.recovery');
  const day = useDay();
  return (
    <Fact name={name}>
      {t('namedOn', { day: day(at) })}
      {publicKey && (
        <span className="block text-sm text-muted">
          <Identifier value={publicKey} name={t('keyName')} keep={8} />
        </span>
      )}
    </Fact>
  );
}
