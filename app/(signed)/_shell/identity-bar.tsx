'use client';

import { Ellipsis, Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Name } from '../../_ui/name.tsx';
import { StateBadge, type Status } from '../../_ui/state-badge.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';

/** Loaded after the page. */
const loadFreezeDialog = async () => (await import('../../_session/freeze.tsx')).FreezeDialog;
const loadMenu = async () => (await import('./identity-menu.tsx')).IdentityMenu;
const loadDialogs = () => Promise.all([loadFreezeDialog(), loadMenu()]);
const FreezeDialog = deferred(loadFreezeDialog);
const IdentityMenu = deferred(loadMenu);

const CAN_FREEZE: ReadonlySet<Status> = new Set(['ACTIVE', 'LOCKED']);

type Open = 'menu' | 'freeze' | null;

type IdentityBarProps = {
  kept: KeptIdentity;
  /** Undefined until it is read. */
  status: Status | undefined;
};

/** The identity, whether its key is unlocked, and a menu: one line on a phone, a card beside the navigation on a desktop. */
export function IdentityBar({ kept: { kind, id, domain }, status }: IdentityBarProps) {
  const t = useTranslations();
  const { isOpen, lock, signer } = useSession();
  const [open, setOpen] = useState<Open>(null);
  const KeyIcon = isOpen ? LockOpen : Lock;
  const frozen = status === 'LOCKED';

  useLoadMeanwhile(loadDialogs);

  return (
    <div className="flex items-center gap-1 rounded-lg border border-line bg-surface py-0.5 pr-1 pl-4 lg:flex-wrap lg:p-4">
      <p className="min-w-0 grow text-sm leading-tight font-bold lg:w-full lg:text-base">
        <Name>{domain}</Name>
      </p>
      {status && (
        <span className={status === 'ACTIVE' ? 'max-lg:hidden' : undefined}>
          <StateBadge state={status} />
        </span>
      )}
      <span role="status" className="text-sm text-muted max-lg:sr-only lg:ml-auto">
        {isOpen ? t('session.isOpen') : t('session.isAway')}
      </span>
      <Button
        look={isOpen ? 'secondary' : 'quiet'}
        className="max-lg:size-11 max-lg:border-0 max-lg:px-0 lg:mt-2 lg:min-w-0 lg:shrink lg:grow lg:basis-[calc(100%-3.25rem)] lg:border-edge lg:px-3 lg:leading-tight lg:text-ink"
        onClick={isOpen ? lock : () => void signer()}
      >
        <KeyIcon aria-hidden />
        <span className="max-lg:sr-only">{isOpen ? t('session.putAway') : t('session.open')}</span>
      </Button>
      <Button
        look="quiet"
        size="icon"
        className="lg:mt-2"
        aria-label={t('dashboard.menu')}
        onClick={() => setOpen('menu')}
      >
        <Ellipsis aria-hidden />
      </Button>
      {open === 'menu' && (
        <IdentityMenu
          domain={domain}
          freezing={status && CAN_FREEZE.has(status) ? (frozen ? 'unlock' : 'emergencyLock') : null}
          onFreeze={() => setOpen('freeze')}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'freeze' && (
        <FreezeDialog kind={kind} id={id} domain={domain} frozen={frozen} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}
