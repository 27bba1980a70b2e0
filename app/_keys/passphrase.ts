/** In characters as people count them (graphemes), not in code units. */
export const MIN_PASSPHRASE = 12;

const MIN_DISTINCT = 5;

/** Normalizes what keyboards type differently: accents composed (NFKC), no spaces at the ends. */
export const plainPassphrase = (typed: string): string => typed.normalize('NFKC').trim();

export const passphraseLength = (typed: string): number => Array.from(plainPassphrase(typed)).length;

/** Why a passphrase is rejected for a new file, or null. */
export function passphraseProblem(typed: string): 'short' | 'simple' | null {
  if (passphraseLength(typed) < MIN_PASSPHRASE) return 'short';
  return new Set(plainPassphrase(typed)).size < MIN_DISTINCT ? 'simple' : null;
}
