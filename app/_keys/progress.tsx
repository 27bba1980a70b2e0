'use client';

import { useTranslations } from 'use-intl/react';

/** A progress bar from 0 to 1; screen readers announce only `doing`. */
export function Progress({ doing, fraction }: { doing: string; fraction: number }) {
  const t = useTranslations('keys');
  return (
    <div className="space-y-2">
      <p role="status">{doing}</p>
      <progress
        aria-label={t('progress')}
        value={fraction}
        max={1}
        className="block h-3 w-full appearance-none overflow-hidden rounded-sm border border-edge bg-sunken text-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
