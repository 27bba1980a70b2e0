/** The most characters of the line that a holder adds to a guardian's link. */
export const MAX_LINE = 120;

const NAME = 'from=';
/** Controls, what changes the direction of the text around it, blank letters, and marks piled on one letter. */
const UNSEEN = /\p{Cc}|\p{Cf}|\u034f|\u115f|\u1160|\u2800|\u3164|\uffa0|(?<=\p{M}{2})\p{M}+/gu;

const plain = (text: string): string => text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim().slice(0, MAX_LINE);

/** A link with a line from its sender after `#`, which no browser sends to a server. */
export function withLine(url: string, line: string): string {
  const text = plain(line);
  return text === '' ? url : `${url}#${NAME}${encodeURIComponent(text)}`;
}

/** The line in the fragment of an address; null without one. Anyone can have written it. */
export function lineIn(fragment: string): string | null {
  if (!fragment.startsWith(`#${NAME}`)) return null;
  try {
    return plain(decodeURIComponent(fragment.slice(NAME.length + 1))) || null;
  } catch {
    return null;
  }
}

/** A link with the line of an earlier link to the same person. */
export const withLineOf = (url: string, earlier: string | undefined): string =>
  withLine(url, lineIn(earlier?.replace(/^[^#]*/, '') ?? '') ?? '');
