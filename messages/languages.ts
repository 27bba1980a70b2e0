/** The languages of all user-facing text, as BCP 47 tags: one JSON file each. */
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

/** The storage key of the language that the reader chose. */
export const LANGUAGE_KEY = 'language';

const DEFAULT: Language = 'en';

/** The language to answer in: the one asked for in the address, else the one the browser prefers. */
export const languageOf = (asked: string | null, acceptLanguage: string | null): Language =>
  isLanguage(asked) ? asked : preferredLanguage(acceptLanguage ?? '');

/** The first of our languages by the weights of an Accept-Language header (RFC 9110 §12.5.4); regions we do not have count as their language. */
export function preferredLanguage(acceptLanguage: string): Language {
  if (acceptLanguage === '') return DEFAULT;
  const wishes = acceptLanguage.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { primary: primaryTag(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const byWeight = wishes.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { primary } of byWeight) {
    const found = LANGUAGES.find((language) => primaryTag(language) === primary);
    if (found) return found;
  }
  return DEFAULT;
}

/** How dates and numbers are written where the reader's region is not known. */
export const regionOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** `pt` of `pt-BR`. */
export const primaryTag = (tag: string): string => tag.split('-', 1)[0] ?? tag;
