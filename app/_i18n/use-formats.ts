'use client';

import { useLocale } from 'use-intl/react';
import { listFormat, numberFormat } from './formats.ts';

export interface Formats {
  /** “a, b, and c” */
  list(items: readonly string[], options?: Intl.ListFormatOptions): string;
  /** “1,234.5” */
  number(value: number, options?: Intl.NumberFormatOptions): string;
}

/** Lists and numbers in the language of the page. use-intl's `useFormatter` would bring every other format to every page. */
export function useFormats(): Formats {
  const locale = useLocale();
  return {
    list: (items, options = {}) => listFormat(locale, options).format(items),
    number: (value, options = {}) => numberFormat(locale, options).format(value),
  };
}
