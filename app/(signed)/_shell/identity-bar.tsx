'use client';

import { ArrowLeftRight, Ellipsis, Eye, Lock, LockOpen, Snowflake } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { pageOf } from '../../_ui/explore-address.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Name } from '../../_ui/name.tsx';
import { StateBadge, type Status } from '../../_ui/state-badge.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';

/** Loaded after the page. */
const loadFreezeDialog = async () => (await import('../../_session/freeze.tsx')).FreezeDialog;
const loadDialog = async () => (await import('../../_ui/dialog.tsx')).Dialog;
const loadDialogs = () => Promise.all([loadFreezeDialog(), loadDialog()]);
const FreezeDialog = deferred(loadFreezeDialog);
const Dialog = deferred(loadDialog);

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
        <Dialog title={<Name>{domain}</Name>} onClose={() => setOpen(null)}>
          <ul className="mt-3 space-y-1">
            <MenuLink href="/sign-in" icon={<ArrowLeftRight aria-hidden />}>
              {t('dashboard.switch')}
            </MenuLink>
            <MenuLink href={pageOf(domain)} icon={<Eye aria-hidden />}>
              {t('dashboard.publicPage')}
            </MenuLink>
            {status && CAN_FREEZE.has(status) && (
              <li>
                <button type="button" className={item} onClick={() => setOpen('freeze')}>
                  <Snowflake aria-hidden />
                  {frozen ? t('dashboard.unlock') : t('dashboard.emergencyLock')}
                </button>
              </li>
            )}
          </ul>
        </Dialog>
      )}
      {open === 'freeze' && (
        <FreezeDialog kind={kind} id={id} domain={domain} frozen={frozen} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

const item =
  'flex min-h-13 w-full cursor-pointer items-center gap-3 rounded-md px-3 text-left text-lg font-semibold hover:bg-sunken [&>svg]:size-6 [&>svg]:shrink-0';

function MenuLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <LocalLink href={href} className={item}>
        {icon}
        {children}
      </LocalLink>
    </li>
  );
}
