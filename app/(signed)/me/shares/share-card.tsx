'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import { PASSCODE_ATTEMPTS } from '../../../../protocol/share-files.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import type { Share } from './use-shares.ts';

/** One link: for whom, until when, and each opening. `onStop`: for one that has not ended. */
export function ShareCard({ share, onStop }: { share: Share; onStop?: () => void }) {
  const t = useTranslations('shares');
  const dates = useDates();
  const { label, status, expires_at, stopped_at, openings, max_openings, attempts_left } = share;
  const wrong = attempts_left === null ? 0 : PASSCODE_ATTEMPTS - attempts_left;
  const facts = [
    status === 'ACTIVE' || status === 'USED_UP' || status === 'GUESSED'
      ? t('until', { time: dates.moment(expires_at) })
      : null,
    t('opened', { count: openings.length, most: max_openings }),
    attempts_left === null ? null : t('withPasscode'),
    wrong > 0 ? t('wrong', { count: wrong }) : null,
  ].filter((fact) => fact !== null);
  return (
    <Card className={clsx('space-y-3', status !== 'ACTIVE' && 'border-dashed')}>
      <div className="flex flex-col items-start gap-3 sm:flex-row sm:justify-between">
        <div className="min-w-0">
          <h3 className="text-lg break-words">
            <bdi>{label}</bdi>
          </h3>
          {status !== 'ACTIVE' && (
            <p className="font-semibold">
              {t(`status.${status}`, { time: dates.moment(stopped_at ?? expires_at), attempts: PASSCODE_ATTEMPTS })}
            </p>
          )}
          <p className="text-muted">{facts.join(' · ')}</p>
        </div>
        {onStop && (
          <Button look="secondary" onClick={onStop}>
            {t('stop.action')}
            <span className="sr-only">{label}</span>
          </Button>
        )}
      </div>
      {openings.length > 0 && (
        <ul aria-label={t('openings')} className="divide-y divide-line border-t border-line">
          {openings.map(({ at, recipient }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an opening has no id, and the list is read as a whole
            <li key={place} className="flex flex-wrap gap-x-4 py-1.5">
              <span className="text-muted tabular-nums">{dates.moment(at)}</span>
              <bdi className="min-w-0 break-words">{recipient.trim() || t('unnamed')}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
