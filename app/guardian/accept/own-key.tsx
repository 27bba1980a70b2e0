'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../_keys/back-button.tsx';
import { type OpenedFrom, OpenKey } from '../../_keys/open-key.tsx';
import { type OpenedKey, wipe } from '../../_keys/secret.ts';
import { Button } from '../../_ui/button.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { LinkFor } from '../link-for.tsx';
import type { OpenInvitation } from './accept-invitation.tsx';

/** A key that the person had before. One that was pasted as a code is not stored in this browser. */
export type OwnedKey = { readonly key: OpenedKey; readonly from: OpenedFrom };

type OwnKeyProps = {
  invitation: OpenInvitation;
  /** The one that was chosen before. */
  own: OwnedKey | null;
  onOwn: (own: OwnedKey) => void;
  /** The chosen one is wiped. */
  onDropped: () => void;
  onBack: () => void;
};

/** Asks for an existing key. Shows its public key first, because the pasted text may be a public key by mistake. */
export function OwnKey({ invitation: { beo_id, beo_domain, role }, own, onOwn, onDropped, onBack }: OwnKeyProps) {
  const t = useTranslations('accept.key');
  const [opened, setOpened] = useState(own);
  if (!opened) {
    return (
      <div className="space-y-4">
        <OpenKey
          beoId={beo_id}
          beoDomain={beo_domain}
          purpose="guardian"
          expectedKey={null}
          codes
          notice={<LinkFor domain={beo_domain} role={role} expectedKey={null} />}
          heading="h1"
          onOpened={(key, from) => setOpened({ key, from })}
        />
        <BackButton label={t('ownNew')} onBack={onBack} />
      </div>
    );
  }
  const { key, from } = opened;
  return (
    <Question key="own" title={t('ownTitle')}>
      <p>{t('ownPublic', { domain: beo_domain })}</p>
      <Identifier value={key.publicKey} what="publicKey" />
      {from === 'code' && <p className="font-semibold">{t('ownCompare')}</p>}
      <p>{t('ownSame')}</p>
      <Actions>
        <Button size="large" onClick={() => onOwn(opened)}>
          {t('ownYes')}
        </Button>
        <Button
          look="secondary"
          size="large"
          onClick={() => {
            wipe(key);
            setOpened(null);
            onDropped();
          }}
        >
          {t('ownAnother')}
        </Button>
      </Actions>
    </Question>
  );
}
