import type { ReactNode } from 'react';
import type { LostLink } from '../../server/features/guardians/lost-link.ts';
import { translator } from '../_i18n/translator.ts';
import { Notice, Todo } from '../_ui/notice.tsx';

type LinkNoticeProps = {
  title: ReactNode;
  /** Why the link cannot be used. */
  reason: ReactNode;
  /** What the person can do now. */
  todo: ReactNode;
  children?: ReactNode;
};

/** The page of a link that cannot be used. */
export async function LinkNotice({ title, reason, todo, children }: LinkNoticeProps) {
  const t = await translator('guardian');
  return (
    <Notice title={title}>
      {reason}
      <Todo title={t('todo')}>{todo}</Todo>
      {children}
    </Notice>
  );
}

/** The page of a link that is unknown, or cannot be read now (`busy`). */
export async function LostLinkNotice({ why }: { why: LostLink | 'busy' }) {
  const t = await translator('guardian');
  return <LinkNotice title={t(`${why}.title`)} reason={<p>{t(`${why}.what`)}</p>} todo={<p>{t(`${why}.todo`)}</p>} />;
}
