/** The languages in which people are written to, and that pages exist in; BCP 47 tags. */
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

const DEFAULT: Language = 'en';

/** The first of our languages by the weights of an Accept-Language header (RFC 9110 §12.5.4); regions we do not have count as their language. */
export function preferredLanguage(acceptLanguage: string): Language {
  if (acceptLanguage === '') return DEFAULT;
  const wishes = acceptLanguage.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { primary: primaryOf(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const byWeight = wishes.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { primary } of byWeight) {
    const found = LANGUAGES.find((language) => primaryOf(language) === primary);
    if (found) return found;
  }
  return DEFAULT;
}

/** `pt` of `pt-BR`. */
const primaryOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;
