/**
 * Control characters, line breaks, direction controls and invisible characters: with them one name can look like another. Listed
 * by code point, because Unicode properties change between versions and a replay must not.
 */
const INVISIBLE =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/u;

export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

export const withoutInvisible = (text: string): string => text.replace(new RegExp(INVISIBLE, 'gu'), '');
