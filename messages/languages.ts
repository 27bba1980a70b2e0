/** The languages of all user-facing text, as BCP 47 tags: one JSON file each. */
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

/** The storage key of the language that the reader chose. */
export const LANGUAGE_KEY = 'language';

/** The locale of dates and numbers if the reader's region is not known. */
export const regionOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** `pt` of `pt-BR`. */
export const primaryTag = (tag: string): string => tag.split('-', 1)[0] ?? tag;
