'use client';

import { useTranslations } from 'use-intl/react';
import { useProgress, useWrites } from '../../_session/write.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';

const loadWrite = async () => (await import('./write-notice.tsx')).Write;
const Write = deferred(loadWrite);

/** What was done on this page: a strip above the bar of a phone, a card in the corner of a desktop. */
export function WritesStrip() {
  const t = useTranslations('session');
  const { tracked, dismiss } = useWrites();
  const progress = useProgress(tracked.map(({ id }) => id));

  useLoadAhead(loadWrite);

  return (
    <section
      aria-label={t('progress.title')}
      data-writes
      className="sticky bottom-(--foot-bar) z-10 mt-auto not-has-[li]:hidden border-t border-edge bg-surface print:hidden lg:bottom-6 lg:mr-6 lg:mb-6 lg:ml-auto lg:w-88 lg:rounded-lg lg:border lg:shadow-lg"
    >
      <ul aria-live="polite" className="page lg:px-4">
        {tracked.slice(0, 3).map((write) => (
          <Write key={write.id} write={write} status={progress.get(write.id)?.status ?? 'ACCEPTED'} onDone={dismiss} />
        ))}
      </ul>
    </section>
  );
}
