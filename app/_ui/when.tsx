'use client';

import type { ReactNode } from 'react';
import { useLocale } from 'use-intl/react';
import { dateFormat, readersTag } from '../_i18n/formats.ts';
import { useBrowser } from './use-browser.ts';

const FORM = { weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' } as const;

type WhenProps = {
  /** ISO 8601. */
  at: string;
  /** The full stop after it, if the sentence ends there: “3:09 p.m.” already has one. */
  children?: ReactNode;
};

/**
 * A day and time in a sentence, in the reader's zone and the format of their region, which only the browser knows; until scripts
 * run, in UTC, with the zone.
 */
export function When({ at, children }: WhenProps) {
  const locale = useLocale();
  const inBrowser = useBrowser();
  const form = inBrowser ? FORM : { ...FORM, timeZone: 'UTC', timeZoneName: 'short' as const };
  const text = dateFormat((inBrowser && readersTag(locale)) || locale, form).format(Date.parse(at));
  return (
    <>
      <time dateTime={at} className="font-semibold">
        {text}
      </time>
      {!text.endsWith('.') && children}
    </>
  );
}
