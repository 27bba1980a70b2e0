'use client';

import type { ReactNode } from 'react';
import { useLocale } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { dateFormat, TIME } from '../_i18n/formats.ts';
import { useBrowser } from './use-browser.ts';

const FORM = { weekday: 'long', day: 'numeric', month: 'long', ...TIME } as const;

type WhenProps = {
  /** ISO 8601. */
  at: string;
  /** The full stop after it, if the sentence ends there. */
  children?: ReactNode;
};

/** A day and time in a sentence, in the reader's zone; until scripts run, in UTC, with the zone. */
export function When({ at, children }: WhenProps) {
  const inBrowser = useBrowser();
  const form = inBrowser ? FORM : { ...FORM, timeZone: 'UTC', timeZoneName: 'short' as const };
  const text = dateFormat(regionOf(useLocale()), form).format(Date.parse(at));
  return (
    <>
      <time dateTime={at} className="font-semibold">
        {text}
      </time>
      {children}
    </>
  );
}
