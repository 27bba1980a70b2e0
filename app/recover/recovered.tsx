'use client';

import { LockOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { OpenedKey } from '../_keys/secret.ts';
import { send } from '../_session/send.ts';
import { signerOfOpen } from '../_session/signer.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { Recover } from '../_ui/pictures/recover.tsx';
import { Actions, Question } from '../_ui/question.tsx';
import { StepLink } from '../_wizard/wizard.tsx';
import { PresentGuardians } from './present-guardians.tsx';
import type { Shown } from './recover-screens.tsx';
import { Refusal } from './refusal.tsx';

type RecoveredProps = Shown & {
  /** The key was found, without a recovery. */
  found: boolean;
  locked: boolean;
  signer: OpenedKey;
};

/** The person has the key of the identity; what is left to do. */
export function Recovered({ identity, found, locked, signer }: RecoveredProps) {
  const t = useTranslations('recover.done');
  const { domain } = identity;
  return (
    <Question title={found ? t('heldTitle', { domain }) : t('title', { domain })}>
      {!found && <Recover className="w-56" />}
      <p className="text-lg">{found ? t('heldLead', { domain }) : t('lead')}</p>
      <Unlock beoId={identity.beo_id} locked={locked} signer={signer} />
      <h2 className="pt-2">{t('consentsTitle')}</h2>
      <p>{found ? t('heldConsents') : t('consents')}</p>
      <Actions>
        <StepLink to="consents">{t('review')}</StepLink>
      </Actions>
      <h2 className="pt-4">{t('keyTitle')}</h2>
      <p>{t('key')}</p>
      <h2 className="pt-2">{t('pagesTitle')}</h2>
      <p>{t('pages')}</p>
      <Actions>
        <Button asChild look="secondary" size="large">
          <LocalLink href={`/sign-in/bring?domain=${encodeURIComponent(domain)}`}>{t('toPages')}</LocalLink>
        </Button>
      </Actions>
      {!found && (
        <>
          <h2 className="pt-2">{t('guardiansTitle')}</h2>
          <p>{t('guardians')}</p>
          <PresentGuardians beoId={identity.beo_id} />
          <h2 className="pt-2">{t('waitTitle')}</h2>
          <p>{t('wait')}</p>
        </>
      )}
    </Question>
  );
}

type UnlockProps = { beoId: string; locked: boolean; signer: OpenedKey };

function Unlock({ beoId, locked, signer }: UnlockProps) {
  const t = useTranslations('recover.done.unlock');
  const [stage, setStage] = useState<'locked' | 'sending' | 'unlocked'>('locked');
  const [refused, setRefused] = useState<string | null>(null);
  const result = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (stage === 'unlocked') result.current?.focus();
  }, [stage]);

  const unlock = async () => {
    if (stage === 'sending') return;
    setRefused(null);
    setStage('sending');
    const sent = await send('unlockBEO', { beoId }, { key: signerOfOpen(signer) });
    const refusal = sent.ok || sent.failure.code === 'NOT_LOCKED' ? null : sent.failure.code;
    setStage(refusal === null ? 'unlocked' : 'locked');
    setRefused(refusal);
  };

  return (
    <>
      <p ref={result} tabIndex={-1} role="status" className="font-semibold text-accent-ink focus:outline-none">
        {stage === 'unlocked' && t('unlocked')}
      </p>
      {locked && stage !== 'unlocked' && (
        <Alert tone="caution" title={t('title')}>
          <p>{t('body')}</p>
          <Refusal code={refused} />
          <Button onClick={unlock} busy={stage === 'sending'} look="secondary" className="mt-3">
            {stage !== 'sending' && <LockOpen aria-hidden />}
            {stage === 'sending' ? t('sending') : t('yes')}
          </Button>
        </Alert>
      )}
    </>
  );
}
