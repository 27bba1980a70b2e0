'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey, type KeepKeyProps } from '../../_keys/keep-key.tsx';
import { openByPasskey, type PasskeyProblem } from '../../_keys/passkey.ts';
import { PasskeyTrouble } from '../../_keys/passkey-trouble.tsx';
import { useSession } from '../../_session/session.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { IdentityCard } from '../../_ui/pictures/identity-card.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { keptRequest } from '../../_wizard/kept-request.ts';
import { SendStep } from '../../_wizard/send-step.tsx';

type SendScreenProps = { domain: string; sending: boolean; failure: Failure | null; onSend: () => void };

export function SendScreen({ domain, sending, failure, onSend }: SendScreenProps) {
  const t = useTranslations('create.send');
  return (
    <SendStep
      title={t('title', { domain })}
      refused={
        <>
          <Refused failure={failure} />
          {failure && <p>{t('safe')}</p>}
        </>
      }
      sending={sending}
      yes={t('yes')}
      busy={t('sending')}
      onSend={onSend}
    >
      <p className="text-lg">{t('lead')}</p>
      <p>{t('signs', { domain })}</p>
      <p>{t('own')}</p>
    </SendStep>
  );
}

type CopyScreenProps = Pick<KeepKeyProps, 'secret'> & {
  domain: string;
  onCopied: KeepKeyProps['onKept'];
  /** Left out where the copy cannot be put off. */
  onLater?: () => void;
};

/** Lets the person copy the key, or put that off. */
export function CopyScreen({ secret, domain, onCopied, onLater }: CopyScreenProps) {
  const t = useTranslations('create.copy');
  return (
    <KeepKey
      secret={secret}
      purpose="holder"
      beoDomain={domain}
      heading="h1"
      onKept={onCopied}
      lead={
        onLater && (
          <>
            <p className="font-semibold text-accent-ink">{t('created', { domain })}</p>
            <p>{t('lead')}</p>
          </>
        )
      }
      back={onLater && <Later onLater={onLater} />}
    />
  );
}

/** Puts the copy off. A passkey that is the only protection must have opened the key once: it was made, but never used. */
function Later({ onLater }: { onLater: () => void }) {
  const t = useTranslations('create.copy');
  const { current } = useSession();
  const passkey = current?.file === null ? current.passkey : null;
  const [{ isAsking, problem }, setState] = useState<{ isAsking: boolean; problem: PasskeyProblem | null }>({
    isAsking: false,
    problem: null,
  });

  const later = async () => {
    if (!current || !passkey) return onLater();
    setState({ isAsking: true, problem: null });
    const opened = await openByPasskey(passkey, current.publicKey);
    setState({ isAsking: false, problem: 'problem' in opened ? opened.problem : null });
    if ('key' in opened) onLater();
  };

  return (
    <div className="space-y-2 pt-2">
      <div role="alert">
        {problem && current && passkey && (
          <Alert tone="danger">
            <PasskeyTrouble problem={problem} passkey={passkey} domain={current.domain} instead="copy" />
            <p>{t('checkFailed')}</p>
          </Alert>
        )}
      </div>
      <Button look="secondary" size="large" onClick={() => void later()} busy={isAsking}>
        {t('later')}
      </Button>
      <p className="text-muted">
        {t('until')} {passkey && t('check')}
      </p>
    </div>
  );
}

/** The identity is created: its card, and the next step. */
export function DoneScreen({ domain, hasCopy }: { domain: string; hasCopy: boolean }) {
  const t = useTranslations('create.done');
  const dates = useDates();
  const [today] = useState(() => dates.day(Date.now()));
  const isAsked = useBrowser() && keptRequest() !== null;
  return (
    <Question title={t('title', { domain })}>
      <IdentityCard name={domain} note={t('since', { day: today })} />
      <p className="text-lg">{t('lead')}</p>
      {!hasCopy && <p>{t('noCopy')}</p>}
      <h2 className="pt-2">{t('next')}</h2>
      <p>{t('guardiansWhat')}</p>
      <Actions>
        {isAsked && (
          <Button asChild size="large">
            <LocalLink href="/ask">{t('asked')}</LocalLink>
          </Button>
        )}
        <Button asChild size="large" look={isAsked ? 'secondary' : 'primary'}>
          <LocalLink href="/me/guardians">{t('guardians')}</LocalLink>
        </Button>
        <Button asChild size="large" look="quiet">
          <LocalLink href="/me">{t('pages')}</LocalLink>
        </Button>
      </Actions>
    </Question>
  );
}
