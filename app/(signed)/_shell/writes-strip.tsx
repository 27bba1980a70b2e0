'use client';

import { useTranslations } from 'use-intl/react';
import { useProgress, useWrites } from '../../_session/write.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';

const loadWrite = async () => (await import('./write-notice.tsx')).Write;
const Write = deferred(loadWrite);

/** The operations sent from this page and their status, until they are final or hidden. */
export function WritesStrip() {
  const t = useTranslations('session');
  const { tracked, dismiss } = useWrites();
  const progress = useProgress(tracked.map(({ id }) => id));

  useLoadAhead(loadWrite);

  return (
    <section
      aria-label={t('progress.title')}
      data-writes
      className="sticky bottom-(--foot-bar) z-10 mt-auto not-has-[li]:hidden border-t border-edge bg-surface print:hidden"
    >
      <ul aria-live="polite" className="page grid gap-x-8 lg:grid-cols-3">
        {tracked.slice(0, 3).map((write) => (
          <Write key={write.id} write={write} status={progress.get(write.id)?.status ?? 'ACCEPTED'} onDone={dismiss} />
        ))}
      </ul>
    </section>
  );
}
