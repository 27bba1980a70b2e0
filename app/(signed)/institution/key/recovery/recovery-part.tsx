'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../../../protocol/entities/ieo.ts';
import { useWrite } from '../../../../_session/write.tsx';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Dialog } from '../../../../_ui/dialog.tsx';
import { Identifier } from '../../../../_ui/identifier.tsx';
import { Fact } from '../../../../_ui/scope-summary.tsx';
import { useDay } from '../../../../_ui/use-day.ts';
import { useSubmission } from '../../../../_wizard/use-submission.ts';
import { Part } from '../../../_safety/part.tsx';
import { configurationOf, type Person } from './ieo-recovery-settings.ts';
import { RecoveryForm } from './recovery-form.tsx';

/** `saved` and `removed`: the change was just made. */
type Step = 'idle' | 'naming' | 'removing' | 'saved' | 'removed';

type Institution = Pick<IeoView, 'ieo_id' | 'public_key' | 'recovery' | 'status'>;

/** The guardians that an institution has named: stored and shown, though no recovery can be executed yet (protocol §3). */
export function RecoveryPart({ institution }: { institution: Institution }) {
  const t = useTranslations('institution.settings.recovery');
  const write = useWrite();
  const [step, setStep] = useState<Step>('idle');
  const { sending, failure, submit, clear } = useSubmission();
  const { ieo_id: ieoId, public_key: ownKey, recovery, status } = institution;
  const { guardians } = recovery;

  const open = (step: 'naming' | 'removing') => {
    clear();
    setStep(step);
  };

  const send = async (people: readonly Person[] | null) => {
    const recovery = people && configurationOf(people);
    const written = await submit(() => write('updateIEORecovery', { ieoId, recovery }));
    if (written?.ok) setStep(people ? 'saved' : 'removed');
  };

  return (
    <Part id="recovery" title={t('title')}>
      <p>{t('lead')}</p>
      <p className="font-semibold">{t('notYet')}</p>
      {guardians.length > 0 && (
        <dl className="space-y-2">
          {guardians.map(({ guardian_id, role, public_key, added_at }) => (
            <NamedGuardian key={guardian_id} name={t(`person.${role}`)} publicKey={public_key} at={added_at} />
          ))}
        </dl>
      )}
      <p role="status" className="font-semibold text-accent-ink empty:hidden">
        {(step === 'saved' || step === 'removed') && t(step)}
      </p>
      {step === 'naming' ? (
        <RecoveryForm
          ownKey={ownKey}
          replaces={guardians.length > 0}
          isSending={sending}
          failure={failure}
          onSend={(people) => void send(people)}
          onCancel={() => setStep('idle')}
        />
      ) : (
        status === 'ACTIVE' && (
          <div className="flex flex-col gap-3 sm:flex-row">
            <Button look="secondary" onClick={() => open('naming')}>
              {t(guardians.length > 0 ? 'change' : 'nameSome')}
            </Button>
            {guardians.length > 0 && (
              <Button look="quiet" onClick={() => open('removing')}>
                {t('remove')}
              </Button>
            )}
          </div>
        )
      )}
      {step === 'removing' && (
        <Dialog title={t('removeTitle')} description={t('removeWhat')} onClose={() => setStep('idle')}>
          <div className="space-y-4">
            <Refused failure={failure} />
            <div className="flex flex-col gap-3 sm:flex-row">
              <Button size="large" onClick={() => void send(null)} busy={sending}>
                {t(sending ? 'sending' : 'removeYes')}
              </Button>
              <Button size="large" look="secondary" onClick={() => setStep('idle')} disabled={sending}>
                {t('cancel')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Part>
  );
}

type NamedGuardianProps = { name: string; publicKey: string | null; at: string };

/** The public facts of a guardian. */
function NamedGuardian({ name, publicKey, at }: NamedGuardianProps) {
  const t = useTranslations('institution.settings.recovery');
  const day = useDay();
  return (
    <Fact name={name}>
      {t('namedOn', { day: day(at) })}
      {publicKey && (
        <span className="block text-sm text-muted">
          <Identifier value={publicKey} what="publicKey" keep={8} />
        </span>
      )}
    </Fact>
  );
}
