/** The languages of all user-facing text, as BCP 47 tags: one JSON file each. */
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

/** The storage key of the language that the reader chose. */
export const LANGUAGE_KEY = 'language';

const DEFAULT: Language = 'en';

/** The language of a response: the one in the address, else the one that the browser prefers. */
export const languageOf = (requested: string | null, acceptLanguage: string | null): Language =>
  isLanguage(requested) ? requested : preferredLanguage(acceptLanguage ?? '');

/** The available language with the highest weight in an Accept-Language header (RFC 9110 §12.5.4), whatever the region. */
export function preferredLanguage(acceptLanguage: string): Language {
  if (acceptLanguage === '') return DEFAULT;
  const entries = acceptLanguage.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { primary: primaryTag(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const byWeight = entries.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { primary } of byWeight) {
    const found = LANGUAGES.find((language) => primaryTag(language) === primary);
    if (found) return found;
  }
  return DEFAULT;
}

/** The locale of dates and numbers if the reader's region is not known. */
export const regionOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** `pt` of `pt-BR`. */
export const primaryTag = (tag: string): string => tag.split('-', 1)[0] ?? tag;
