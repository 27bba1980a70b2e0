import type { ReactNode } from 'react';
import { translator } from '../../_i18n/translator.ts';
import { When } from '../../_i18n/when.tsx';
import { Notice, Todo } from '../../_ui/notice.tsx';

type ConfirmedProps = { domain: string; confirmations: number; needed: number; until: string };

/** This guardian has confirmed, and another has not yet. */
export async function Confirmed({ domain, confirmations, needed, until }: ConfirmedProps) {
  const [t, shared] = await Promise.all([translator('confirm'), translator('guardian')]);
  return (
    <Notice title={t('confirmed.title')}>
      <p>{t('done.standing', { confirmations, needed })}</p>
      <p>{t.rich('done.until', { when: (end) => <When at={until}>{end}</When> })}</p>
      <Todo title={shared('todo')}>
        <p>{t('confirmed.todo', { domain })}</p>
      </Todo>
    </Notice>
  );
}

/** How a request ended otherwise: it was executed, another was, its time ran out, or this guardian was removed. */
export async function Ended({
  how,
  domain,
}: {
  how: 'executed' | 'closed' | 'expired' | 'superseded';
  domain: string;
}) {
  const [t, shared] = await Promise.all([translator('confirm'), translator('guardian')]);
  const told = (part: 'title' | 'what' | 'todo'): ReactNode => t(`${how}.${part}`, { domain });
  return (
    <Notice title={told('title')}>
      <p>{told('what')}</p>
      <Todo title={shared('todo')}>
        <p>{told('todo')}</p>
      </Todo>
    </Notice>
  );
}
