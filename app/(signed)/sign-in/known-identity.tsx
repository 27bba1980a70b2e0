'use client';

import { Building2, CircleUserRound, KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { homeOf, type KeptIdentity } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { useGo } from '../../_ui/local-link.tsx';
import { Name } from '../../_ui/name.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { ForgetDialog, loadForgetDialog } from '../_safety/deferred-forget-dialog.ts';

/** An identity in this browser: open its pages, unlock its key, or remove it. `isFirst`: the last used, whose pages come first. */
export function KnownIdentity({ identity, isFirst }: { identity: KeptIdentity; isFirst: boolean }) {
  const t = useTranslations('signIn.known');
  const { choose, unlock } = useSession();
  const go = useGo();
  const [isForgetting, setForgetting] = useState(false);
  const { id, kind, domain, backedUp } = identity;
  useLoadAhead(loadForgetDialog);
  const Icon = kind === 'holder' ? CircleUserRound : Building2;

  return (
    <Card className="p-5 sm:p-6">
      <h3 className="flex items-center gap-3 text-lg">
        <Icon aria-hidden className="size-7 shrink-0 text-accent" />
        <span className="min-w-0">
          <Name>{domain}</Name>
        </span>
      </h3>
      <p className="mt-1 text-muted">
        {t(kind)}
        {!backedUp && <span className="font-semibold text-caution-ink"> {t('noBackup')}</span>}
      </p>
      <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <Button
          look={isFirst ? 'primary' : 'secondary'}
          onClick={async () => {
            await choose(id);
            go(homeOf(kind));
          }}
          aria-label={t('goTo', { domain })}
        >
          {t('go')}
        </Button>
        <Button
          look="secondary"
          onClick={async () => {
            if (await unlock(identity)) go(homeOf(kind));
          }}
          aria-label={t('openOf', { domain })}
        >
          <KeyRound aria-hidden />
          {t('open')}
        </Button>
        <Button look="quiet" onClick={() => setForgetting(true)} aria-label={t('forgetOf', { domain })}>
          <Trash2 aria-hidden />
          {t('forget')}
        </Button>
      </div>
      {isForgetting && <ForgetDialog identity={identity} onClose={() => setForgetting(false)} />}
    </Card>
  );
}
