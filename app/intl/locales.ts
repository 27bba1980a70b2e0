/** The languages that pages exist in, as BCP 47 tags. */
export const LOCALES = ['en', 'pt-BR', 'es'] as const;

export type Locale = (typeof LOCALES)[number];

const DEFAULT: Locale = 'en';

/** Where proxy.ts puts the language of the page for everything behind it; whatever a client sends under this name is overwritten. */
export const LOCALE_HEADER = 'x-perpetua-locale';

const TRANSLATED = /^\/(guardian\/(accept|confirm-recovery)\/[^/]+|recover)\/?$/;

export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value);

/** The language of a page: the one asked for in the address, else the one the browser prefers; English where it is not translated. */
export function localeOf(path: string, asked: string | null, acceptLanguage: string | null): Locale {
  if (!TRANSLATED.test(path)) return DEFAULT;
  return isLocale(asked) ? asked : preferredLocale(acceptLanguage ?? '');
}

/** The first of our languages by the weights of an Accept-Language header (RFC 9110 §12.5.4); regions we do not have count as their language. */
export function preferredLocale(acceptLanguage: string): Locale {
  const wishes = acceptLanguage.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: languageOf(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const byWeight = wishes.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { language } of byWeight) {
    const found = LOCALES.find((locale) => languageOf(locale) === language);
    if (found) return found;
  }
  return DEFAULT;
}

/** `pt` of `pt-BR`. */
export const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;
