/** Numbers of a list (“1º”, “2ª”, “№ 3”), which normalization turns into letters. */
const NUMBER_SIGNS = /[ºª№]/g;

/** A typed word in the form of the word list: lower-case letters without accents. */
export const plainWord = (typed: string): string =>
  typed
    .replace(NUMBER_SIGNS, ' ')
    .normalize('NFKD')
    .replace(/\P{Letter}/gu, '')
    .toLowerCase();

/** What joins to a letter or is invisible: accents, soft hyphens, joiners, direction controls. */
const UNSEEN = /[\p{Mark}\p{Format}]/gu;
const ZERO_WIDTH_SPACE = /\u200b/g;

/**
 * The words of a text, wherever it was copied from: numbers, bullets, brackets, table lines, punctuation and every kind of space
 * stand between words (“1) word”, “| 1 | word |”, “• word”).
 */
export const plainWords = (text: string): string[] =>
  text
    .replace(NUMBER_SIGNS, ' ')
    .normalize('NFKD')
    .replace(ZERO_WIDTH_SPACE, ' ')
    .replace(UNSEEN, '')
    .toLowerCase()
    .split(/\P{Letter}+/u)
    .filter((word) => word !== '');
