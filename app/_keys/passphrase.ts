/** In characters, as a person counts them. */
export const MIN_PASSPHRASE = 12;

const MIN_DISTINCT = 5;

/** One form for what keyboards write differently: accents composed (NFKC), and no space that completion left at an end. */
export const plainPassphrase = (typed: string): string => typed.normalize('NFKC').trim();

export const passphraseLength = (typed: string): number => Array.from(plainPassphrase(typed)).length;

/** Why a passphrase is not taken for a new file, or null. */
export function passphraseProblem(typed: string): 'short' | 'simple' | null {
  if (passphraseLength(typed) < MIN_PASSPHRASE) return 'short';
  return new Set(plainPassphrase(typed)).size < MIN_DISTINCT ? 'simple' : null;
}
