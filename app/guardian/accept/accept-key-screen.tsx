'use client';

import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import { KeepKey } from '../../_keys/keep-key.tsx';
import { type OpenedFrom, OpenKey } from '../../_keys/open-key.tsx';
import type { OpenedKey, Secret } from '../../_keys/secret.ts';
import { Button } from '../../_ui/button.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { StepLink } from '../../_ui/wizard.tsx';
import { LinkFor } from '../link-for.tsx';
import type { Screen } from './accept-flow.ts';
import type { Shown } from './accept-screens.tsx';
import { OwnKey } from './own-key.tsx';

type KeyScreenProps = Shown & {
  screen: Extract<Screen, { at: 'key' }>;
  onCopied: () => void;
  onOpened: (key: OpenedKey, from: OpenedFrom) => void;
  /** Drops the key and makes another. */
  onNewKey: () => void;
};

/** Makes and copies a key; or opens one, where the holder has invited a certain key or the guardian has a key already. */
export function KeyScreen({ steps, invitation, focus, screen, onCopied, onOpened, onNewKey }: KeyScreenProps) {
  const t = useTranslations('accept.key');
  const [own, setOwn] = useState(false);
  const { beo_id, beo_domain, role, bound_key } = invitation;
  if (bound_key !== null) {
    return (
      <>
        <OpenKey
          beoId={beo_id}
          beoDomain={beo_domain}
          purpose="guardian"
          expectedKey={bound_key}
          codes
          notice={<LinkFor beoId={beo_id} domain={beo_domain} role={role} expectedKey={bound_key} />}
          onOpened={onOpened}
          heading="h1"
        />
        <p className="pt-6 text-muted">{t('bound', { domain: beo_domain })}</p>
      </>
    );
  }
  const back = () => {
    onNewKey();
    setOwn(false);
  };
  if (own) return <OwnKey invitation={invitation} onOpened={onOpened} onBack={back} />;
  const ownButton = (
    <Button look="quiet" className="-ml-5" onClick={() => setOwn(true)}>
      <KeyRound aria-hidden />
      {t('own')}
    </Button>
  );
  if (screen.failed) {
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
  const { key, hasCopy } = screen;
  if (!key) {
    return (
      <Question key="making" title={t('making')} focus={focus}>
        <p>{t('makingBody')}</p>
      </Question>
    );
  }
  return (
    <CopyScreen
      steps={steps}
      secret={key.secret}
      beoDomain={beo_domain}
      role={role}
      hasCopy={hasCopy}
      focus={focus}
      onCopied={onCopied}
      other={ownButton}
    />
  );
}

type CopyScreenProps = Pick<Shown, 'steps' | 'focus'> & {
  secret: Secret;
  beoDomain: string;
  role: GuardianRole;
  hasCopy: boolean;
  onCopied: () => void;
  other: ReactNode;
};

/** For a person who already has a copy: another is optional. */
function CopyScreen({ steps, secret, beoDomain, role, hasCopy, focus, onCopied, other }: CopyScreenProps) {
  const t = useTranslations('accept.key');
  const shared = useTranslations('guardian');
  const [copying, setCopying] = useState(!hasCopy);
  if (copying) {
    return (
      <KeepKey
        secret={secret}
        purpose="guardian"
        beoDomain={beoDomain}
        role={role}
        onKept={onCopied}
        back={other}
        heading="h1"
      />
    );
  }
  return (
    <Question title={t('kept')} focus={focus}>
      <p>{t('keptBody')}</p>
      <Actions>
        <StepLink steps={steps} to="accept">
          {shared('continue')}
        </StepLink>
        <Button look="secondary" size="large" onClick={() => setCopying(true)}>
          {t('again')}
        </Button>
        {other}
      </Actions>
    </Question>
  );
}
