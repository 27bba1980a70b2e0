import { LANGUAGES, type Language, preferredLanguage } from '../../server/language.ts';

/** The languages that pages exist in. */
export const LOCALES = LANGUAGES;

export type Locale = Language;

const DEFAULT: Locale = 'en';

/** Where proxy.ts puts the language of the page for everything behind it; whatever a client sends under this name is overwritten. */
export const LOCALE_HEADER = 'x-perpetua-locale';

const TRANSLATED = /^\/(guardian\/(accept|confirm-recovery)\/[^/]+|recover)\/?$/;

export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value);

/** The language of a page: the one asked for in the address, else the one the browser prefers; English where it is not translated. */
export function localeOf(path: string, asked: string | null, acceptLanguage: string | null): Locale {
  if (!TRANSLATED.test(path)) return DEFAULT;
  return isLocale(asked) ? asked : preferredLanguage(acceptLanguage ?? '');
}

/** `pt` of `pt-BR`. */
export const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;
