import type { ReactNode } from 'react';
import { translator } from '../../_i18n/translator.ts';
import { When } from '../../_i18n/when.tsx';
import { Notice, Todo } from '../../_ui/notice.tsx';

/** Somebody has accepted by this link. `children`: what whoever it was can do here. */
export async function UsedInvitation({ domain, children }: { domain: string; children: ReactNode }) {
  const [t, shared] = await Promise.all([translator('accept'), translator('guardian')]);
  return (
    <Notice title={t('used.title')}>
      <p>{t('used.what')}</p>
      <Todo title={shared('todo')}>
        <p>{t('used.you')}</p>
        <p>{t('used.other', { domain })}</p>
      </Todo>
      {children}
    </Notice>
  );
}

/** Nobody accepted in time. */
export async function ExpiredInvitation({ domain }: { domain: string }) {
  const [t, shared] = await Promise.all([translator('accept'), translator('guardian')]);
  return (
    <Notice title={t('expired.title')}>
      <p>{t('expired.what', { domain })}</p>
      <Todo title={shared('todo')}>
        <p>{t('expired.todo', { domain })}</p>
      </Todo>
    </Notice>
  );
}

/** The holder has withdrawn it, or sent another. */
export async function SupersededInvitation() {
  const [t, shared] = await Promise.all([translator('accept'), translator('guardian')]);
  return (
    <Notice title={t('superseded.title')}>
      <p>{t('superseded.what')}</p>
      <Todo title={shared('todo')}>
        <p>{t('superseded.todo')}</p>
      </Todo>
    </Notice>
  );
}

/** It waits until the identity is unlocked. */
export async function LockedIdentity({ domain, until }: { domain: string; until: string }) {
  const [t, shared] = await Promise.all([translator('accept'), translator('guardian')]);
  return (
    <Notice title={t('locked.title', { domain })}>
      <p>{t.rich('locked.what', { domain, when: (end) => <When at={until}>{end}</When> })}</p>
      <Todo title={shared('todo')}>
        <p>{t('locked.todo', { domain })}</p>
        <p>{t('locked.other')}</p>
      </Todo>
    </Notice>
  );
}
