/** The members of the response before the document. */
export interface ExportHead {
  readonly format: string;
  readonly record_count: number;
}

/** Why a response is not a complete export. */
export class BrokenExport extends Error {}

/** The limit for the members before the document, in characters. */
const MAX_HEAD_LENGTH = 4_096;
const DATA = '"data":"';
const UNICODE_ESCAPE_LENGTH = 'u'.length + 4;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Extracts the document from `{…,"data":"…"}` while the response arrives: `add` takes the next piece of text, split anywhere,
 * and returns the next part of the document, never half of a surrogate pair; `end` is called at the end of the response.
 * @throws {BrokenExport} where the text is no export, or incomplete
 */
export function exportDecoder(onHead: (head: ExportHead) => void) {
  let at: 'head' | 'data' | 'after' = 'head';
  let buffer = '';
  /** A high surrogate whose low surrogate has not arrived. */
  let half = '';

  function takeHead(): boolean {
    const start = buffer.indexOf(DATA);
    if (start < 0) {
      if (buffer.length > MAX_HEAD_LENGTH) throw new BrokenExport('no head');
      return false;
    }
    onHead(headIn(`${buffer.slice(0, start)}"data":""}`));
    buffer = buffer.slice(start + DATA.length);
    at = 'data';
    return true;
  }

  function takeData(): string {
    const pieces: string[] = [];
    let from = 0;
    while (from < buffer.length) {
      const stop = nextSpecial(buffer, from);
      if (stop > from) pieces.push(buffer.slice(from, stop));
      from = stop;
      if (from === buffer.length) break;
      if (buffer[from] === '"') {
        at = 'after';
        from++;
        break;
      }
      const letter = buffer[from + 1];
      if (letter === undefined || (letter === 'u' && buffer.length < from + 1 + UNICODE_ESCAPE_LENGTH)) break;
      pieces.push(unescaped(buffer.slice(from + 1, from + 1 + UNICODE_ESCAPE_LENGTH)));
      from += letter === 'u' ? 1 + UNICODE_ESCAPE_LENGTH : 2;
    }
    buffer = buffer.slice(from);
    return withoutHalf(pieces.join(''));
  }

  function withoutHalf(text: string): string {
    const joined = half + text;
    half = isFirstHalf(joined.at(-1)) && at === 'data' ? joined.slice(-1) : '';
    return half ? joined.slice(0, -1) : joined;
  }

  return {
    add(text: string): string {
      buffer += text;
      if (at === 'head' && !takeHead()) return '';
      const data = at === 'data' ? takeData() : '';
      if (at === 'after' && !/^\}?\s*$/.test(buffer)) throw new BrokenExport('more than an export');
      return data;
    },
    end(): void {
      if (at !== 'after' || buffer.trim() !== '}') throw new BrokenExport('it ended too early');
    },
  };
}

/** The next `"` or `\` from `from` on, or the end. */
function nextSpecial(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22 || code === 0x5c) return index;
    if (code < 0x20) throw new BrokenExport('a control character');
  }
  return text.length;
}

/** The character of the escape at the start of `text`, which lacks the backslash. */
function unescaped(text: string): string {
  const [letter = ''] = text;
  if (letter === 'u' && /^u[0-9a-fA-F]{4}$/.test(text)) return String.fromCharCode(Number.parseInt(text.slice(1), 16));
  const simple = SIMPLE_ESCAPES[letter];
  if (simple === undefined) throw new BrokenExport('an escape that JSON does not have');
  return simple;
}

function isFirstHalf(character: string | undefined): boolean {
  const code = character?.charCodeAt(0) ?? 0;
  return code >= 0xd800 && code <= 0xdbff;
}

function headIn(text: string): ExportHead {
  try {
    const { format, record_count }: Partial<ExportHead> = JSON.parse(text);
    if (typeof format === 'string' && typeof record_count === 'number') return { format, record_count };
  } catch {}
  throw new BrokenExport('no head');
}
