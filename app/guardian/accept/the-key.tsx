'use client';

import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { type OpenedFrom, OpenKey } from '../../_keys/open-key.tsx';
import type { OpenedKey, Secret } from '../../_keys/secret.ts';
import { Button } from '../../_ui/button.tsx';
import { Actions, Question, Scripted, StepLink } from '../../_ui/question.tsx';
import { OwnKey } from './own-key.tsx';
import type { Progress } from './progress.ts';
import type { Shown } from './screens.tsx';

type TheKeyProps = Shown & {
  progress: Progress;
  onKept: () => void;
  onOpened: (key: OpenedKey, from: OpenedFrom) => void;
  /** The key so far is not wanted: another is made. */
  onAnew: () => void;
};

/** The key is made and kept; or opened, where the holder has invited one that exists, or the guardian has one. */
export function TheKey({
  steps,
  invitation,
  focus,
  progress: { key, kept, keyless },
  onKept,
  onOpened,
  onAnew,
}: TheKeyProps) {
  const t = useTranslations('accept.key');
  const [own, setOwn] = useState(false);
  const { beo_id, beo_domain, bound_key } = invitation;
  if (bound_key !== null) {
    return (
      <Scripted alone>
        <OpenKey
          beoId={beo_id}
          beoDomain={beo_domain}
          purpose="guardian"
          expectedKey={bound_key}
          codes
          onOpened={onOpened}
          heading="h1"
        />
        <p className="pt-6 text-muted">{t('bound', { domain: beo_domain })}</p>
      </Scripted>
    );
  }
  const back = () => {
    onAnew();
    setOwn(false);
  };
  if (own) return <OwnKey invitation={invitation} onOpened={onOpened} onBack={back} />;
  const ownButton = (
    <Button look="quiet" className="-ml-5" onClick={() => setOwn(true)}>
      <KeyRound aria-hidden />
      {t('own')}
    </Button>
  );
  if (keyless) {
    return (
      <Question key="keyless" title={t('failed')} focus={focus}>
        <p>{t('failedBody')}</p>
        <Actions>
          <Button size="large" onClick={() => window.location.reload()}>
            {t('retry')}
          </Button>
          {ownButton}
        </Actions>
      </Question>
    );
  }
  if (!key) {
    return (
      <Scripted alone>
        <Question key="making" title={t('making')} focus={focus}>
          <p>{t('makingBody')}</p>
        </Question>
      </Scripted>
    );
  }
  return (
    <Keeping
      steps={steps}
      secret={key.secret}
      beoDomain={beo_domain}
      kept={kept}
      focus={focus}
      onKept={onKept}
      other={ownButton}
    />
  );
}

type KeepingProps = Pick<Shown, 'steps' | 'focus'> & {
  secret: Secret;
  beoDomain: string;
  kept: boolean;
  onKept: () => void;
  other: ReactNode;
};

/** Who comes back here with a copy already need not make another, but may. */
function Keeping({ steps, secret, beoDomain, kept, focus, onKept, other }: KeepingProps) {
  const t = useTranslations('accept.key');
  const shared = useTranslations('guardian');
  const [keeping, setKeeping] = useState(!kept);
  if (keeping) {
    return (
      <KeepKey secret={secret} purpose="guardian" beoDomain={beoDomain} onKept={onKept} back={other} heading="h1" />
    );
  }
  return (
    <Question title={t('kept')} focus={focus}>
      <p>{t('keptBody')}</p>
      <Actions>
        <StepLink steps={steps} to="accept">
          {shared('continue')}
        </StepLink>
        <Button look="secondary" size="large" onClick={() => setKeeping(true)}>
          {t('again')}
        </Button>
        {other}
      </Actions>
    </Question>
  );
}
