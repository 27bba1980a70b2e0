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
const UNICODE_ESCAPE_LENGTH = '\\u0000'.length;

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
    const quote = closingQuote(buffer);
    const length = quote < 0 ? lengthOfWhole(buffer) : quote;
    const text = textIn(buffer.slice(0, length));
    buffer = buffer.slice(quote < 0 ? length : quote + 1);
    if (quote >= 0) at = 'after';
    return withoutHalf(text);
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

/** The place of the quote that ends a JSON string; -1 if it has not arrived. */
function closingQuote(text: string): number {
  let at = text.indexOf('"');
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** The length without an escape at the end that has not arrived as a whole. */
function lengthOfWhole(text: string): number {
  const last = text.lastIndexOf('\\');
  if (last < 0 || isEscaped(text, last)) return text.length;
  const needed = text[last + 1] === 'u' ? UNICODE_ESCAPE_LENGTH : 2;
  return text.length < last + needed ? last : text.length;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

/** By the parser of the browser, which is many times faster than a script. */
function textIn(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`);
  } catch {
    throw new BrokenExport('no text of JSON');
  }
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
