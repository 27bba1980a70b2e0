'use client';

import { Check, LoaderCircle, X } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useProgress, useWrites } from '../session/write.tsx';
import { Button } from '../ui/button.tsx';
import { LocalLink } from '../ui/local-link.tsx';
import { textLink } from '../ui/text-link.ts';

/** What was written from this page and how far it has got, until it is final or hidden. */
export function WritesStrip() {
  const t = useTranslations('session');
  const { tracked, dismiss } = useWrites();
  const progress = useProgress(tracked.map(({ id }) => id));
  return (
    <section
      aria-label={t('progress.title')}
      className="pointer-events-none fixed inset-x-0 bottom-20 z-10 flex justify-center px-4 lg:bottom-6 print:hidden"
    >
      <ul aria-live="polite" className="pointer-events-auto w-full max-w-[34rem] space-y-2">
        {tracked.slice(0, 3).map(({ id, operation }, index) => {
          const status = progress.get(id)?.status ?? 'ACCEPTED';
          const Icon = status === 'FINAL' ? Check : LoaderCircle;
          return (
            <li
              key={id}
              className="flex items-center gap-3 rounded-md border border-edge bg-surface py-2 pr-2 pl-4 shadow-lg"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-accent" />
              <span className="min-w-0 grow">
                <span className="block font-semibold">{t(`operation.${operation}`)}</span>
                <span className="block text-sm text-muted">
                  {t('progress.status', { status })} ·{' '}
                  <LocalLink href={`/explore/${id}`} className={textLink}>
                    {t('progress.see')}
                  </LocalLink>
                </span>
              </span>
              {index === 0 && (
                <Button look="quiet" size="icon" aria-label={t('progress.dismiss')} onClick={dismiss}>
                  <X aria-hidden />
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
