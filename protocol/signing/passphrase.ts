/** In characters as people count them, not in code units. */
export const MIN_PASSPHRASE = 12;

/** The version of a key file decides how its passphrase is normalized before scrypt. */
export type PassphraseVersion = 1 | 2;

const SINGLE_QUOTES = /[‘’‚‛′‹›]/g;
const DOUBLE_QUOTES = /[“”„‟″«»]/g;
const DASHES = /[‐-―−]/g;
const LONG_DASHES = /[–—]/g;

/**
 * Normalizes what keyboards write differently (version 2): accents composed (NFKC), straight quotes, a hyphen for dashes and for
 * several hyphens, single spaces, none at the ends.
 */
export const plainPassphrase = (typed: string): string => withSingleSpaces(straight(typed, '-')).replace(/-+/g, '-');

export const passphraseLength = (typed: string): number => Array.from(plainPassphrase(typed)).length;

/**
 * The texts from which the key of a file may have been derived, the most likely first, each once. In version 1 only accents and the
 * spaces at the ends were normalized, so what a keyboard makes of quotes and dashes is tried in both directions.
 */
export function passphraseCandidates(typed: string, version: PassphraseVersion): readonly string[] {
  if (version === 2) return [plainPassphrase(typed)];
  const long = withSingleSpaces(straight(typed, '--'));
  return [...new Set([composed(typed), withSingleSpaces(straight(typed, '-')), long, smart(long)])];
}

const composed = (typed: string): string => typed.normalize('NFKC').trim();

const withSingleSpaces = (text: string): string => composed(text).replace(/\s+/g, ' ');

/** Before NFKC, which takes some quotes apart. */
const straight = (typed: string, longDash: '-' | '--'): string =>
  typed.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(LONG_DASHES, longDash).replace(DASHES, '-');

/** What phones write while a person types straight quotes and two hyphens. */
const smart = (text: string): string =>
  text
    .replace(/(^|[\s([{])'/g, '$1‘')
    .replace(/(^|[\s([{])"/g, '$1“')
    .replaceAll("'", '’')
    .replaceAll('"', '”')
    .replaceAll('--', '—');
