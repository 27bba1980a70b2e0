'use client';

import { clsx } from 'clsx';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { formatExact, formatRelative } from './format.ts';
import { useNow } from './now.ts';
import { useBrowser } from './use-browser.ts';

type MomentProps = {
  /** ISO 8601. */
  at: string;
  /** The server's time when it rendered the page, ISO 8601: server and browser must render the same text first. */
  renderedAt: string;
  className?: string;
};

/** A relative time with the exact one, in the reader's zone (in UTC until scripts run). */
export function Moment({ at, renderedAt, className }: MomentProps) {
  const t = useTranslations('common');
  const region = regionOf(useLocale());
  const now = useNow(renderedAt);
  const inBrowser = useBrowser();
  const time = Date.parse(at);
  return (
    <time dateTime={at} className={clsx('block', className)}>
      <span className="block print:hidden">{formatRelative(region, t('justNow'), time, now)}</span>
      <span className="block text-xs text-muted tabular-nums">
        {formatExact(region, time, inBrowser ? undefined : 'UTC')}
      </span>
    </time>
  );
}
