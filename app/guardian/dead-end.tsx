import type { LostLink } from '../../server/guardians/lost-link.ts';
import { translator } from '../_i18n/translator.ts';
import { Notice, Todo } from '../_ui/notice.tsx';

/** Nothing is known of the link, for the reason in `why` where there is one; or it cannot be looked up now (`busy`). */
export async function DeadEnd({ why }: { why: LostLink | 'busy' }) {
  const t = await translator('guardian');
  return (
    <Notice title={t(`${why}.title`)}>
      <p>{t(`${why}.what`)}</p>
      <Todo title={t('todo')}>
        <p>{t(`${why}.todo`)}</p>
      </Todo>
    </Notice>
  );
}
