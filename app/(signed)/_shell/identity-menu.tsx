'use client';

import { ArrowLeftRight, Eye, Snowflake } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Dialog } from '../../_ui/dialog.tsx';
import { pageOf } from '../../_ui/explore-address.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Name } from '../../_ui/name.tsx';

type IdentityMenuProps = {
  domain: string;
  /** The label of freezing or its end; null where neither is possible. */
  freezing: 'emergencyLock' | 'unlock' | null;
  onFreeze: () => void;
  onClose: () => void;
};

/** The menu of an identity. */
export function IdentityMenu({ domain, freezing, onFreeze, onClose }: IdentityMenuProps) {
  const t = useTranslations('dashboard');
  return (
    <Dialog title={<Name>{domain}</Name>} onClose={onClose}>
      <ul className="mt-3 space-y-1">
        <MenuLink href="/sign-in" icon={<ArrowLeftRight aria-hidden />}>
          {t('switch')}
        </MenuLink>
        <MenuLink href={pageOf(domain)} icon={<Eye aria-hidden />}>
          {t('publicPage')}
        </MenuLink>
        {freezing && (
          <li>
            <button type="button" className={item} onClick={onFreeze}>
              <Snowflake aria-hidden />
              {t(freezing)}
            </button>
          </li>
        )}
      </ul>
    </Dialog>
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
