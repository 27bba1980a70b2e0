import { isLanguage, LANGUAGES, type Language, primaryTag } from './languages.ts';

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
