import type { Locale } from '../locales.ts';
import es from './names-es.ts';
import ptBr from './names-pt-br.ts';

/** How biomarkers are called, by code. */
export type BiomarkerNames = Readonly<Record<string, string>>;

/** Those of a language; none in English, which is the taxonomy's own. Only for the server: a page is sent those of its language. */
export const namesIn = (locale: Locale): BiomarkerNames => NAMES[locale];

const NAMES: Record<Locale, BiomarkerNames> = { en: {}, 'pt-BR': ptBr, es };
