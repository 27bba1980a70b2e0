import { dateFormat, readersTag } from '../_i18n/formats.ts';

/** “21 November 2026”, in the language of the page and the form of the person's region, which only the browser knows. */
export const longDay = (locale: string, day: Date): string =>
  dateFormat(readersTag(locale) ?? locale, { dateStyle: 'long' }).format(day);
