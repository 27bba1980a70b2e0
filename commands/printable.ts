const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes a line of a report. Untrusted text must not move the cursor, reorder characters or start a new line, so
 * control and format characters, line separators and lone surrogates become \u{…}.
 */
export const printable = (line: string): string =>
  line.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
