import { type Language, regionOf } from '../../messages/languages.ts';
import { dateFormat, LONG_DAY } from '../_i18n/formats.ts';

/** “21 November 2026”, in the language of the page and the reader's zone. In the browser only. */
export const longDay = (locale: Language, day: Date): string => dateFormat(regionOf(locale), LONG_DAY).format(day);
