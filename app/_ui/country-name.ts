const ALPHA_2 = /^[A-Z]{2}$/;

/** The name of a country in a language. Institutions may also have registered any other text, which stays as it is. */
export function countryName(country: string, locale: string): string {
  if (!ALPHA_2.test(country)) return country;
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(country) ?? country;
}
