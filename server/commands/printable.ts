const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * One line of a report. What others wrote must not move the cursor, change the order of what is read, or begin a line: control
 * and format characters, line separators and lone surrogates are shown as \u{…}.
 */
export const printable = (line: string): string =>
  line.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
