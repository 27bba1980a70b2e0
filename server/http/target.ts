/** A request target in the one spelling that everything behind the edge decides by. */
export interface Target {
  /** Begins with a slash, has no empty segment, and does not end with a slash unless it is the root. Still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** False for a path that names nothing here: see `namesNothing`. Its `path` serves to choose the form of the refusal only. */
  readonly isAcceptable: boolean;
  /** Whether slashes were repeated, or stood at the end. */
  readonly hadExtraSlashes: boolean;
}

/** Most targets: nothing encoded, no extra slash, and no segment that begins with a dot. */
const PLAIN = /^(?:\/|(?:\/[\w~-][\w.~-]*)+)$/;

/** Reads the target of a request line (RFC 9112 §3.2): of the absolute form the host does not matter here. */
export function readTarget(target: string): Target {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  const mark = origin.indexOf('?');
  const raw = (mark < 0 ? origin : origin.slice(0, mark)) || '/';
  const query = mark < 0 ? '' : origin.slice(mark + 1);
  if (PLAIN.test(raw)) return { path: raw, query, isAcceptable: true, hadExtraSlashes: false };
  const decoded = withoutNeedlessEncoding(raw);
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const path = `/${segments.join('/')}`;
  return { path, query, isAcceptable: !namesNothing(decoded, segments), hadExtraSlashes: path !== decoded };
}

/** RFC 3986 §6.2.2: what need not be encoded is not, and hexadecimal digits are upper-case. */
const withoutNeedlessEncoding = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });

/** Controls and backslashes, which URL parsers drop or read as slashes; slashes, backslashes and dots that are encoded, even twice. */
const AMBIGUOUS = /[\0- \\\x7f]|%2F|%5C|%25(?:2e|2f|5c)/i;

/** What one parser would read as another path than the next: no address of this service is written so. */
const namesNothing = (path: string, segments: readonly string[]): boolean =>
  !path.startsWith('/') ||
  AMBIGUOUS.test(path) ||
  segments.some((segment) => segment === '.' || segment === '..') ||
  !isEncoded(path);

/** Whether what is percent-encoded can be decoded (RFC 3986 §2.1, UTF-8). The bundler drops a decoding whose result is not used. */
function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
