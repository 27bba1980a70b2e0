'use client';

import { useMemo } from 'react';
import { useLocale } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { dateFormat, SHORT_DAY, TIME } from '../_i18n/formats.ts';

const DAY_ALONE = /^\d{4}-\d\d-\d\d$/;

export interface Dates {
  /** “4 Mar 2026” */
  day(at: string | number): string;
  /** “4 Mar 2026, 05:06”; a day has no time, and is the same in every zone. */
  moment(at: string | number): string;
  /** “05:06” */
  time(at: string | number): string;
}

/** Days and times in the language of the page and the reader's zone. In the browser only. */
export function useDates(): Dates {
  const locale = useLocale();
  return useMemo(() => {
    const region = regionOf(locale);
    const ofDay = dateFormat(region, { ...SHORT_DAY, timeZone: 'UTC' });
    const writer = (form: Intl.DateTimeFormatOptions) => {
      const { format } = dateFormat(region, form);
      return (at: string | number) => {
        if (typeof at === 'number') return format(at);
        return (DAY_ALONE.test(at) ? ofDay.format : format)(Date.parse(at));
      };
    };
    return { day: writer(SHORT_DAY), moment: writer({ ...SHORT_DAY, ...TIME }), time: writer(TIME) };
  }, [locale]);
}
