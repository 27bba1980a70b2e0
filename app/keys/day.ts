import { languageOf } from '../intl/locales.ts';

/** “21 November 2026”, in the language of the page and the form of the person's region, which only the browser knows. */
export function longDay(locale: string, day: Date): string {
  const regional = navigator.languages.find((tag) => languageOf(tag) === languageOf(locale));
  return new Intl.DateTimeFormat(regional ?? locale, { dateStyle: 'long' }).format(day);
}
