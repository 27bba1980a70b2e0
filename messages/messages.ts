import type {} from 'use-intl';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import type { Language } from './languages.ts';
import ptBR from './pt-BR.json' with { type: 'json' };

/**
 * All user-facing text, by namespace: ICU messages. English defines the keys. Only server code imports values from here,
 * because they contain every message: a page receives those that it shows (app/_i18n/translated.tsx).
 */
export type Messages = typeof en;
export type Namespace = keyof Messages;

/** The names of biomarkers by code. English has none: its names are in protocol/records/taxonomy.json. */
export type BiomarkerNames = Readonly<Record<string, string>>;

interface Translation {
  readonly messages: Messages;
  readonly biomarkers: BiomarkerNames;
}

const TRANSLATIONS: Readonly<Record<Language, Translation>> = {
  en: { messages: en, biomarkers: {} },
  'pt-BR': translation(ptBR),
  es: translation(es),
};

function translation({ biomarkers, ...messages }: typeof ptBR): Translation {
  return { messages, biomarkers };
}

export const messagesIn = (language: Language): Messages => TRANSLATIONS[language].messages;

export const biomarkerNamesIn = (language: Language): BiomarkerNames => TRANSLATIONS[language].biomarkers;

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
