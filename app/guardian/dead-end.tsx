import { translator } from '../intl/translator.ts';
import { Notice, Todo } from './notice.tsx';

/** No link is known by this token (`unknown`), or that cannot be looked up now (`busy`). */
export async function DeadEnd({ why }: { why: 'unknown' | 'busy' }) {
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
