import { useTranslations } from 'use-intl/react';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** A duration in seconds, in words: “15 minutes”, “1 hour”, “7 days”. */
export function useDuration(): (seconds: number) => string {
  const t = useTranslations('shares.duration');
  return (seconds) => {
    if (seconds < HOUR) return t('minutes', { count: seconds / MINUTE });
    return seconds < DAY ? t('hours', { count: seconds / HOUR }) : t('days', { count: seconds / DAY });
  };
}
