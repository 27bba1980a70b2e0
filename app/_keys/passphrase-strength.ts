import { type OptionsType, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { Language } from '../../messages/languages.ts';
import { plainPassphrase } from './passphrase.ts';

/** What makes a passphrase easy to guess. */
export type Weakness =
  | 'common'
  | 'similar'
  | 'keyboard'
  | 'repeat'
  | 'sequence'
  | 'date'
  | 'name'
  | 'word'
  | 'own'
  | 'few';

/** The estimator's warnings; without translations it reports their names. */
const WEAKNESS: Readonly<Record<string, Weakness>> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'similar',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'own',
};

/** The lowest score that resists an attack on the file: at least 10^8 guesses, each as slow as opening it. */
const MIN_SCORE = 3;

const WORDS: Readonly<Record<Language, () => Promise<{ dictionary: OptionsType['dictionary'] }>>> = {
  en: () => import('@zxcvbn-ts/language-en'),
  'pt-BR': () => import('@zxcvbn-ts/language-pt-br'),
  es: () => import('@zxcvbn-ts/language-es-es'),
};

const estimators = new Map<Language, Promise<ZxcvbnFactory>>();

/** Loads the words of a language once; a load that failed is tried again the next time. */
export function loadEstimator(language: Language): Promise<ZxcvbnFactory> {
  const loaded =
    estimators.get(language) ??
    WORDS[language]().then(
      (words) => new ZxcvbnFactory({ dictionary: { ...dictionary, ...words.dictionary }, graphs: adjacencyGraphs }),
    );
  estimators.set(language, loaded);
  loaded.catch(() => estimators.delete(language));
  return loaded;
}

/**
 * Why a passphrase would be guessed, or null. Estimated in the browser; nothing is sent.
 * @param related what an attacker knows too, such as the identity's name
 */
export async function passphraseWeakness(
  typed: string,
  language: Language,
  related: readonly string[],
): Promise<Weakness | null> {
  const estimator = await loadEstimator(language);
  const { score, feedback } = estimator.check(plainPassphrase(typed), [...related]);
  return score >= MIN_SCORE ? null : (WEAKNESS[feedback.warning ?? ''] ?? 'few');
}
