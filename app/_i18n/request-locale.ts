import { headers } from 'next/headers';
import { isLocale, LOCALE_HEADER, type Locale } from './locales.ts';

/** The language of the page that is being rendered, as proxy.ts chose it. */
export async function requestLocale(): Promise<Locale> {
  const chosen = (await headers()).get(LOCALE_HEADER);
  return isLocale(chosen) ? chosen : 'en';
}
