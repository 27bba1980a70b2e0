import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { plainPassphrase } from '../../protocol/signing/passphrase.ts';

/** What makes a passphrase easy to guess. */
export type Weakness = 'common' | 'similar' | 'keyboard' | 'repeat' | 'sequence' | 'date' | 'word' | 'own' | 'few';

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
  userInputs: 'own',
};

/** The lowest score that resists an attack on the file: at least 10^8 guesses, each as slow as opening it. */
const MIN_SCORE = 3;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Why a passphrase would be guessed, or null. Estimated in the browser; nothing is sent.
 * @param related what an attacker knows too, such as the identity's name
 */
export function passphraseWeakness(typed: string, related: readonly string[]): Weakness | null {
  const { score, feedback } = estimator.check(plainPassphrase(typed), [...related]);
  return score >= MIN_SCORE ? null : (WEAKNESS[feedback.warning ?? ''] ?? 'few');
}
