import type { ReactNode } from 'react';
import { translator } from '../../_i18n/translator.ts';
import { When } from '../../_ui/when.tsx';
import { LinkNotice } from '../link-notice.tsx';

type UsedInvitationProps = { domain: string; whose: ReactNode; children: ReactNode };

/** A guardian has accepted by this link. `whose`: which guardian; `children`: what that guardian can do here. */
export async function UsedInvitation({ domain, whose, children }: UsedInvitationProps) {
  const t = await translator('accept');
  const todo = (
    <>
      <p>{t('used.you')}</p>
      <p>{t('used.other', { domain })}</p>
    </>
  );
  return (
    <LinkNotice
      title={t('used.title')}
      reason={
        <>
          <p>{t('used.what')}</p>
          {whose}
        </>
      }
      todo={todo}
    >
      {children}
    </LinkNotice>
  );
}

/** The invitation was not accepted in time (`expired`), or the holder has withdrawn or replaced it (`superseded`). */
export async function EndedInvitation({ how, domain = '' }: { how: 'expired' | 'superseded'; domain?: string }) {
  const t = await translator('accept');
  return (
    <LinkNotice
      title={t(`${how}.title`)}
      reason={<p>{t(`${how}.what`, { domain })}</p>}
      todo={<p>{t(`${how}.todo`, { domain })}</p>}
    />
  );
}

/** The invitation waits until the identity is unlocked. */
export async function LockedIdentity({ domain, until }: { domain: string; until: string }) {
  const t = await translator('accept');
  const todo = (
    <>
      <p>{t('locked.todo', { domain })}</p>
      <p>{t('locked.other')}</p>
    </>
  );
  return (
    <LinkNotice
      title={t('locked.title', { domain })}
      reason={<p>{t.rich('locked.what', { domain, when: (end) => <When at={until}>{end}</When> })}</p>}
      todo={todo}
    />
  );
}
