'use client';

import { clsx } from 'clsx';
import { Clock } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Badge } from './badge.tsx';
import { type ConsentTime, daysLeft, endsSoon, shareLeft } from './consent-time.ts';

type TimeBarProps = ConsentTime & {
  /** Milliseconds. */
  now: number;
};

/** The time that is left of an active consent, as a bar and in words. Needs the messages of `scope`. */
export function TimeBar({ now, ...time }: TimeBarProps) {
  const t = useTranslations('scope');
  const share = shareLeft(time, now);
  const soon = endsSoon(time, now);
  return (
    <span className="mt-1.5 block max-w-72">
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
              soon ? 'bg-caution-edge' : 'bg-accent',
            )}
            style={{ width: `${share * 100}%` }}
          />
        )}
      </span>
      {time.expires_at !== null && (
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          {t('left', { days: daysLeft(time.expires_at, now) })}
          {soon && (
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
