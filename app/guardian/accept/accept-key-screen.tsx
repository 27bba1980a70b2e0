'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { OpenKey } from '../../_keys/open-key.tsx';
import { Button } from '../../_ui/button.tsx';
import { KeyStep } from '../../_wizard/key-step.tsx';
import type { DraftKey } from '../../_wizard/use-draft-key.ts';
import { LinkFor } from '../link-for.tsx';
import type { OpenInvitation } from './accept-invitation.tsx';
import { type OwnedKey, OwnKey } from './own-key.tsx';

type KeyScreenProps = {
  invitation: OpenInvitation;
  draft: DraftKey;
  own: OwnedKey | null;
  /** Null for a new key. */
  onOwn: (own: OwnedKey | null) => void;
  onCopied: () => void;
  onNext: () => void;
};

/** Makes and copies a key; or opens one, where the holder has invited a certain key or the guardian has a key already. */
export function KeyScreen({ invitation, draft, own, onOwn, onCopied, onNext }: KeyScreenProps) {
  const t = useTranslations('accept.key');
  const [isOwn, setIsOwn] = useState(own !== null);
  const { beo_id, beo_domain, role, bound_key } = invitation;
  const choose = (chosen: OwnedKey) => {
    onOwn(chosen);
    onNext();
  };
  if (bound_key !== null) {
    return (
      <>
        <OpenKey
          beoId={beo_id}
          beoDomain={beo_domain}
          purpose="guardian"
          expectedKey={bound_key}
          codes
          notice={<LinkFor domain={beo_domain} role={role} expectedKey={bound_key} />}
          onOpened={(key, from) => choose({ key, from })}
          heading="h1"
        />
        <p className="pt-6 text-muted">{t('bound', { domain: beo_domain })}</p>
      </>
    );
  }
  if (isOwn) {
    const back = () => {
      onOwn(null);
      setIsOwn(false);
    };
    return <OwnKey invitation={invitation} own={own} onOwn={choose} onDropped={() => onOwn(null)} onBack={back} />;
  }
  return (
    <KeyStep
      draft={draft}
      hasCopy={draft.made?.hasCopy === true}
      purpose="guardian"
      beoDomain={beo_domain}
      role={role}
      onCopied={onCopied}
      onNext={onNext}
      other={
        <Button look="quiet" className="-ml-5" onClick={() => setIsOwn(true)}>
          <KeyRound aria-hidden />
          {t('own')}
        </Button>
      }
    />
  );
}
