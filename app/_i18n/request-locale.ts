import { headers } from 'next/headers';
import { isLanguage, type Language } from '../../messages/languages.ts';

/** The header in which proxy.ts passes the language of the page on; it overwrites what a client sends under this name. */
export const LOCALE_HEADER = 'x-perpetua-locale';

/** The header with the language that the address names; empty if it names none. */
export const CHOSEN_LOCALE_HEADER = 'x-perpetua-chosen-locale';

/** The language of the page that is being rendered, as proxy.ts chose it. */
export async function requestLocale(): Promise<Language> {
  const chosen = (await headers()).get(LOCALE_HEADER);
  return isLanguage(chosen) ? chosen : 'en';
}

/** The language that the address of the page names; null if it names none. */
export async function chosenLocale(): Promise<Language | null> {
  const chosen = (await headers()).get(CHOSEN_LOCALE_HEADER);
  return isLanguage(chosen) ? chosen : null;
}
