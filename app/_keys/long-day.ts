import { dateFormat, readersTag } from '../_i18n/formats.ts';

/** “21 November 2026”, in the language of the page and the format of the browser's region. */
export const longDay = (locale: string, day: Date): string =>
  dateFormat(readersTag(locale) ?? locale, { dateStyle: 'long' }).format(day);
