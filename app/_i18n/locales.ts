import { isLanguage, LANGUAGES, type Language, preferredLanguage } from '../../server/language.ts';

/** The languages that pages exist in. */
export const LOCALES = LANGUAGES;

export type Locale = Language;

/** Where proxy.ts puts the language of the page for everything behind it; whatever a client sends under this name is overwritten. */
export const LOCALE_HEADER = 'x-perpetua-locale';

export const isLocale: (value: unknown) => value is Locale = isLanguage;

/** The language of a page: the one asked for in the address, else the one the browser prefers. */
export const localeOf = (asked: string | null, acceptLanguage: string | null): Locale =>
  isLocale(asked) ? asked : preferredLanguage(acceptLanguage ?? '');

/** How dates and numbers are written where the reader's region is not known. */
export const regionOf = (locale: Locale): string => (locale === 'en' ? 'en-GB' : locale);

/** `pt` of `pt-BR`. */
export const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;
