import { primaryTag } from '../../messages/languages.ts';

/** Making one of Intl's forms takes a hundred times as long as using it: each is made once. */
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

/** The form that the reader's browser prefers of a page's language, such as `es-MX`; only in a browser. */
export const readersTag = (locale: string): string | undefined =>
  navigator.languages.find((tag) => primaryTag(tag) === primaryTag(locale));
