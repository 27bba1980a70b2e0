'use client';

import { Check, LoaderCircle, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { type Tracked, useProgress, useWrites } from '../../_session/write.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useOperationLabel } from '../../_ui/operation-label.ts';
import { textLink } from '../../_ui/text-link.ts';

type Progress = Answers['progress'][number];

/** The operations sent from this page and their status, until they are final or hidden. */
export function WritesStrip() {
  const t = useTranslations('session');
  const { tracked, dismiss } = useWrites();
  const progress = useProgress(tracked.map(({ id }) => id));
  return (
    <section
      aria-label={t('progress.title')}
      data-writes
      className="pointer-events-none sticky bottom-(--foot-bar) z-10 mt-auto flex justify-center px-4 lg:w-[24rem] lg:self-end print:hidden"
    >
      <ul aria-live="polite" className="pointer-events-auto w-full max-w-form space-y-2 not-empty:py-4">
        {tracked.slice(0, 3).map((write) => (
          <Write key={write.id} write={write} status={progress.get(write.id)?.status ?? 'ACCEPTED'} onDone={dismiss} />
        ))}
      </ul>
    </section>
  );
}

const FINAL_SHOWN_MS = 6_000;

type WriteProps = { write: Tracked; status: Progress['status']; onDone: (id: string) => void };

/** One operation; it disappears a little after it is final. On phones only the latest is shown. */
function Write({ write: { id, function: functionName }, status, onDone }: WriteProps) {
  const t = useTranslations('session');
  const labelOf = useOperationLabel();
  const isFinal = status === 'FINAL';
  const Icon = isFinal ? Check : LoaderCircle;

  useEffect(() => {
    if (!isFinal) return;
    const timer = setTimeout(() => onDone(id), FINAL_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isFinal, id, onDone]);

  return (
    <li className="flex items-center gap-3 rounded-md border border-edge bg-surface py-1 pr-1 pl-4 shadow-lg max-lg:not-first:hidden">
      <Icon aria-hidden className="size-5 shrink-0 text-accent" />
      <span className="min-w-0 grow text-sm">
        <span className="font-semibold">{labelOf(functionName)}</span>
        <span className="block text-muted">
          {t('progress.status', { status })} ·{' '}
          <LocalLink href={`/explore/${id}`} className={textLink}>
            {t('progress.see')}
          </LocalLink>
        </span>
      </span>
      <Button look="quiet" size="icon" aria-label={t('progress.dismiss')} onClick={() => onDone(id)}>
        <X aria-hidden />
      </Button>
    </li>
  );
}
