/** In characters as people count them (graphemes), not in code units. */
export const MIN_PASSPHRASE = 12;

/** Normalizes what keyboards type differently: accents composed (NFKC), no spaces at the ends. */
export const plainPassphrase = (typed: string): string => typed.normalize('NFKC').trim();

export const passphraseLength = (typed: string): number => Array.from(plainPassphrase(typed)).length;
