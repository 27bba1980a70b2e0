'use client';

import { useMemo } from 'react';
import { useLocale } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import { dateFormat } from '../_i18n/formats.ts';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export interface Dates {
  /** “4 Mar 2026” */
  day(at: string | number): string;
  /** “4 Mar 2026, 05:06” */
  moment(at: string | number): string;
  /** “05:06” */
  time(at: string | number): string;
}

/** Days and times in the language of the page and the reader's zone. In the browser only. */
export function useDates(): Dates {
  const locale = useLocale();
  return useMemo(() => {
    const writer = (form: Intl.DateTimeFormatOptions) => {
      const { format } = dateFormat(regionOf(locale), form);
      return (at: string | number) => format(typeof at === 'string' ? Date.parse(at) : at);
    };
    return { day: writer(DAY), moment: writer({ ...DAY, ...TIME }), time: writer(TIME) };
  }, [locale]);
}
