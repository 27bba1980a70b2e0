import type { ReactNode } from 'react';
import type { LostLink } from '../../server/features/guardians/lost-link.ts';
import { translator } from '../_i18n/translator.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { Notice, Todo } from '../_ui/notice.tsx';
import { LinkApart } from '../_ui/pictures/link-apart.tsx';
import { textLink } from '../_ui/text-link.ts';

type LinkNoticeProps = {
  title: ReactNode;
  /** Why the link cannot be used. */
  reason: ReactNode;
  /** What the person can do now. */
  todo: ReactNode;
  children?: ReactNode;
};

const ELSEWHERE = [
  ['home', '/'],
  ['recover', '/recover'],
  ['contact', '/contact'],
] as const;

/** The page of a link that cannot be used, with ways on. */
export async function LinkNotice({ title, reason, todo, children }: LinkNoticeProps) {
  const t = await translator('guardian');
  return (
    <Notice title={title} picture={<LinkApart className="w-48" />}>
      {reason}
      <Todo title={t('todo')}>{todo}</Todo>
      {children}
      <nav aria-label={t('elsewhere.title')} className="flex flex-wrap gap-x-6 pt-4">
        {ELSEWHERE.map(([name, href]) => (
          <LocalLink key={href} href={href} className={`inline-flex min-h-11 items-center ${textLink}`}>
            {t(`elsewhere.${name}`)}
          </LocalLink>
        ))}
      </nav>
    </Notice>
  );
}

/** The page of a link that is unknown, or cannot be read now (`busy`). */
export async function LostLinkNotice({ why }: { why: LostLink | 'busy' }) {
  const t = await translator('guardian');
  return <LinkNotice title={t(`${why}.title`)} reason={<p>{t(`${why}.what`)}</p>} todo={<p>{t(`${why}.todo`)}</p>} />;
}
