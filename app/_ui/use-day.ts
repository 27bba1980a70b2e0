'use client';

import { useLocale } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { dateFormat, LONG_DAY } from '../_i18n/formats.ts';
import { useBrowser } from './use-browser.ts';

/** Formats an ISO 8601 instant as a day, “21 November 2026”, in the reader's zone; in UTC until scripts run. */
export function useDay(): (at: string) => string {
  const locale = useLocale();
  const inBrowser = useBrowser();
  const form = dateFormat(regionOf(locale), { ...LONG_DAY, ...(!inBrowser && { timeZone: 'UTC' }) });
  return (at) => form.format(Date.parse(at));
}
