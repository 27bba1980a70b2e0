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
export const listFormat = once((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options));
export const relativeTimeFormat = once(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);

// How every page writes a day and a time: short in tables and lists, long in sentences, with 24 hours.
export const SHORT_DAY = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
} as const satisfies Intl.DateTimeFormatOptions;
export const LONG_DAY = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
} as const satisfies Intl.DateTimeFormatOptions;
export const TIME = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions;
