import { primaryTag } from '../../messages/languages.ts';

/** Creating an Intl format takes a hundred times as long as using it, so each is cached. */
function once<Options, Form>(make: (locale: string, options: Options) => Form) {
  const made = new Map<string, Form>();
  return (locale: string, options: Options): Form => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const form = made.get(key) ?? make(locale, options);
    made.set(key, form);
    return form;
  };
}

export const dateFormat = once(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
export const numberFormat = once((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
export const relativeTimeFormat = once(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);

/** The browser's regional variant of the page's language, such as `es-MX`; only in a browser. */
export const readersTag = (locale: string): string | undefined =>
  navigator.languages.find((tag) => primaryTag(tag) === primaryTag(locale));
