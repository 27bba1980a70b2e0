'use client';

import { Check, HandHeart, House, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SealedByPasskey } from '../../_keys/identities.ts';
import type { KeyFileContent } from '../../_keys/key-file.ts';
import { SealForm } from '../../_keys/seal-form.tsx';
import type { OpenedKey } from '../../_keys/secret.ts';
import { PasskeyOffer } from '../../_session/passkey-offer.tsx';
import { selfConsentFields } from '../../_session/self-consent-fields.ts';
import { useSession } from '../../_session/session.tsx';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { useWrite } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { NavCard } from '../../_ui/nav-card.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import type { Steps } from '../../_ui/use-step.ts';
import { StepLink } from '../../_ui/wizard.tsx';

type HasCopyProps = { steps: Steps; focus: boolean; onAgain: () => void };

/** For a person who already has a copy of the key. */
export function HasCopy({ steps, focus, onAgain }: HasCopyProps) {
  const t = useTranslations('create.key');
  const shared = useTranslations('guardian');
  return (
    <Question title={t('kept')} focus={focus}>
      <p>{t('keptBody')}</p>
      <Actions>
        <StepLink steps={steps} to="here">
          {shared('continue')}
        </StepLink>
        <Button look="secondary" size="large" onClick={onAgain}>
          {t('again')}
        </Button>
      </Actions>
    </Question>
  );
}

type SealScreenProps = {
  focus: boolean;
  content: Omit<KeyFileContent, 'publicKey'>;
  /** The passphrase of the key file that was made, which can be used again. */
  filePassphrase: string | undefined;
  /** The identity is already created, but this browser has not stored its key. */
  created: boolean;
  cannotStore: boolean;
  onSealed: (file: string) => Promise<void>;
};

/** A passphrase for the key in this browser. */
export function SealScreen(props: SealScreenProps) {
  const { focus, content, filePassphrase, created, cannotStore, onSealed } = props;
  const t = useTranslations('create.here');
  const here = useTranslations('session.here');
  return (
    <Question title={here('title')} focus={focus}>
      {created && (
        <Alert>
          <p>{t('created', { domain: content.beoDomain })}</p>
        </Alert>
      )}
      <div role="alert">
        {cannotStore && (
          <Alert tone="danger" title={here('keepsNothingTitle')}>
            <p>{here('keepsNothing')}</p>
          </Alert>
        )}
      </div>
      <p>{here('lead')}</p>
      <SealForm
        content={content}
        submit={here('submit')}
        making={here('saving')}
        failed={{ title: here('failedTitle'), what: here('failed') }}
        filePassphrase={filePassphrase}
        onSealed={onSealed}
      />
    </Question>
  );
}

type SendScreenProps = {
  focus: boolean;
  domain: string;
  sending: boolean;
  failure: Failure | null;
  onSend: () => void;
};

/** The only screen that sends a request. */
export function SendScreen({ focus, domain, sending, failure, onSend }: SendScreenProps) {
  const t = useTranslations('create.send');
  return (
    <Question title={t('title', { domain })} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      <p>{t('signs', { domain })}</p>
      <p>{t('confirmed')}</p>
      <Refused failure={failure} />
      {failure && <p>{t('safe')}</p>}
      <Actions>
        <Button size="large" onClick={onSend} busy={sending}>
          {sending ? t('sending') : t('yes')}
        </Button>
      </Actions>
    </Question>
  );
}

type PasskeyScreenProps = {
  opened: OpenedKey;
  domain: string;
  onDecided: (passkey: SealedByPasskey | null) => void;
};

export function PasskeyScreen({ opened, domain, onDecided }: PasskeyScreenProps) {
  const t = useTranslations('session.passkey');
  return (
    <Question title={t('title')} focus>
      <PasskeyOffer opened={opened} domain={domain} onSealed={onDecided} onSkip={() => onDecided(null)} />
    </Question>
  );
}

/** The identity is created; the next steps. `required`: only confirmed guardians are eligible. */
export function DoneScreen({ domain, required }: { domain: string; required: boolean }) {
  const t = useTranslations('create.done');
  return (
    <Question title={t('title', { domain })} focus>
      <p className="text-lg">{t('lead')}</p>
      {!required && (
        <Alert tone="caution">
          <p>{t('open')}</p>
        </Alert>
      )}
      <SelfConsent />
      <h2 className="pt-2">{t('next')}</h2>
      <div className="space-y-3">
        <NavCard icon={Users} name={t('guardians')} what={t('guardiansWhat')} href="/me/guardians" />
        <NavCard icon={HandHeart} name={t('consent')} what={t('consentWhat')} href="/me/consents/new" />
        <NavCard icon={House} name={t('pages')} what={t('pagesWhat')} href="/me" />
      </div>
    </Question>
  );
}

/** Offers the new identity a consent to its own key, without which it cannot read its records. */
function SelfConsent() {
  const t = useTranslations('create.done.self');
  const { current } = useSession();
  const write = useWrite();
  const { sending, failure, submit } = useSubmission();
  const [given, setGiven] = useState(false);
  if (!current) return null;

  const give = async () => {
    const written = await submit(() => write('grantConsent', selfConsentFields(current.id)));
    setGiven(written?.ok === true);
  };

  return (
    <Card className="space-y-3">
      <h2 className="text-lg">{t('title')}</h2>
      <p role="status" className={given ? 'flex gap-2 font-semibold text-accent-ink' : 'sr-only'}>
        {given && (
          <>
            <Check aria-hidden className="mt-1 size-5 shrink-0" />
            {t('given')}
          </>
        )}
      </p>
      {!given && (
        <>
          <p>{t('body')}</p>
          <Refused failure={failure} />
          <Button look="secondary" onClick={() => void give()} busy={sending}>
            {t(sending ? 'giving' : 'give')}
          </Button>
        </>
      )}
    </Card>
  );
}
