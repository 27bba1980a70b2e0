/** A request target in its normal form. */
export interface Target {
  /** Begins with a slash, has no empty segment, and does not end with a slash unless it is the root. Still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** False for an ambiguous path: see `isAmbiguous`. Its `path` only chooses the form of the refusal. */
  readonly isAcceptable: boolean;
  /** Whether slashes were repeated or trailing. */
  readonly hadExtraSlashes: boolean;
}

/** Stands for the path of a target that is not acceptable. No route has it. */
export const UNACCEPTABLE_PATH = '';

/** The common case: nothing encoded, no extra slash, no segment that begins with a dot. */
const PLAIN = /^(?:\/|(?:\/[\w~-][\w.~-]*)+)$/;

/** Parses the target of a request line (RFC 9112 §3.2); the host of the absolute form is ignored. */
export function readTarget(target: string): Target {
  if (PLAIN.test(target)) return { path: target, query: '', isAcceptable: true, hadExtraSlashes: false };
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  const mark = origin.indexOf('?');
  const raw = (mark < 0 ? origin : origin.slice(0, mark)) || '/';
  const query = mark < 0 ? '' : origin.slice(mark + 1);
  if (PLAIN.test(raw)) return { path: raw, query, isAcceptable: true, hadExtraSlashes: false };
  const decoded = normalizeEncoding(raw);
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const path = `/${segments.join('/')}`;
  return { path, query, isAcceptable: !isAmbiguous(decoded, segments), hadExtraSlashes: path !== decoded };
}

/** RFC 3986 §6.2.2: decodes unreserved characters, and upper-cases hexadecimal digits. */
const normalizeEncoding = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });

/**
 * Control characters and backslashes, which URL parsers drop or read as slashes; encoded slashes, backslashes and dots,
 * also double-encoded.
 */
const AMBIGUOUS = /[\0- \\\x7f]|%2F|%5C|%25(?:2e|2f|5c)/i;

/** Whether two parsers could read different paths; no path of this service needs such a spelling. */
const isAmbiguous = (path: string, segments: readonly string[]): boolean =>
  !path.startsWith('/') ||
  AMBIGUOUS.test(path) ||
  segments.some((segment) => segment === '.' || segment === '..') ||
  !isEncoded(path);

/**
 * Whether the percent-encoding can be decoded (RFC 3986 §2.1, UTF-8). The result is used, or the bundler would drop the
 * call.
 */
function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
