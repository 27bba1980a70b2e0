'use client';

import { clsx } from 'clsx';
import { Clock } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Badge } from './badge.tsx';
import { type ConsentTime, daysLeft, endsSoon, shareLeft } from './consent-time.ts';
import { useScopeWords } from './use-scope-words.ts';

type TimeBarProps = ConsentTime & {
  /** Milliseconds. */
  now: number;
};

/** The time that is left of an active consent, as a bar and in words. Needs the messages of `scope`. */
export function TimeBar({ now, ...time }: TimeBarProps) {
  const t = useTranslations('scope');
  return (
    <span className="mt-1.5 block max-w-72">
      <Bar now={now} {...time} />
      {time.expires_at !== null && (
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          {t('left', { days: daysLeft(time.expires_at, now) })}
          {endsSoon(time, now) && (
            <Badge tone="caution">
              <Clock aria-hidden />
              {t('endsSoon')}
            </Badge>
          )}
        </span>
      )}
    </span>
  );
}

/** Until when an active consent is valid and what is left of that, in one line over its bar. Needs the messages of `scope`. */
export function TimeLine({ now, ...time }: TimeBarProps) {
  const t = useTranslations('scope');
  const words = useScopeWords();
  const soon = endsSoon(time, now);
  return (
    <p className="min-w-0 text-sm leading-snug">
      <span className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="first-letter:uppercase">{words.end(time.expires_at)}</span>
        {time.expires_at !== null && (
          <span className={clsx('flex items-center gap-1', soon ? 'font-semibold text-caution-ink' : 'text-muted')}>
            {soon && <Clock aria-hidden className="size-4" />}
            {t('left', { days: daysLeft(time.expires_at, now) })}
          </span>
        )}
      </span>
      <span className="mt-1 block">
        <Bar now={now} {...time} />
      </span>
    </p>
  );
}

function Bar({ now, ...time }: TimeBarProps) {
  const share = shareLeft(time, now);
  return (
    <span
      aria-hidden
      className={clsx(
        'block h-2 overflow-hidden rounded-full forced-colors:border',
        share === null ? 'bg-accent' : 'bg-line',
      )}
    >
      {share !== null && (
        <span
          className={clsx(
            'block h-full rounded-full forced-colors:bg-[CanvasText]',
            endsSoon(time, now) ? 'bg-caution-edge' : 'bg-accent',
          )}
          style={{ width: `${share * 100}%` }}
        />
      )}
    </span>
  );
}
